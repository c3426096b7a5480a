import { expect, test } from 'vitest'
import { isUuid, uuidv7 } from './uuidv7.ts'

test('ids are version 7, unique, and sort by time', () => {
  const ids = Array.from({ length: 2000 }, (_, index) => uuidv7(1_700_000_000_000 + index))
  expect(new Set(ids).size).toBe(2000)
  expect([...ids].sort()).toEqual(ids)
  for (const id of ids) {
    expect(isUuid(id)).toBe(true)
    expect(id[14]).toBe('7')
    expect('89ab').toContain(id[19])
  }
})
