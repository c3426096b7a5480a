import { expect, test } from 'vitest'
import { parseForm, readParameters } from './form.ts'

test('a form may hold as many fields as a protocol needs, and no more', () => {
  const fields = (count: number) => Array.from({ length: count }, (_, n) => `f${n}=1`).join('&')
  expect(parseForm('a=1&b=%20')).toEqual({ a: '1', b: ' ' })
  expect([...readParameters(fields(1000))]).toHaveLength(1000)
  expect(() => readParameters(fields(1001))).toThrow('The body holds too many fields')
})
