import { expect, test } from 'vitest'
import { readableQuery } from './request-text.ts'

test.each([
  ['', ''],
  ['select=id%2Cname%28%2A%29', '?select=id,name(*)'],
  ['?q=flat+white', '?q=flat white'],
  ['q=100%', '?q=100%'],
])('%s reads %s', (query, text) => {
  expect(readableQuery(query)).toBe(text)
})
