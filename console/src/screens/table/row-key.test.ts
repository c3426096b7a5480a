import { expect, test } from 'vitest'
import { keyText, readKey } from './row-key.ts'

test('a key is read from its link as texts', () => {
  expect(readKey('{"order_id":812,"line":"1"}')).toEqual({ order_id: '812', line: '1' })
})

test.each(['', 'null', '[]', '{}', '"812"', '{broken'])('%s opens nothing', (json) => {
  expect(readKey(json)).toBeUndefined()
})

test('a row is called by its key', () => {
  expect(keyText({ order_id: '812', line: null })).toBe('812, null')
})
