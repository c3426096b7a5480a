import { expect, test } from 'vitest'
import { placeOfError, planStatements, withoutSecrets } from './plan.ts'

test.each([
  ['commit', true],
  ['-- done\n END', true],
  ['rollback', true],
  ['abort work', true],
  ['rollback to savepoint a', false],
  ['savepoint a', false],
  ['select 1 as commit', false],
])('%j ends the transaction: %s', (text, ends) => {
  expect(planStatements(text)).toMatchObject([{ ends }])
})

test('an error is placed in what was typed, whatever stands before it', () => {
  const text = `select '😀';\n select '😀', nope`
  const [, second] = planStatements(text)
  if (second === undefined) throw new Error('The text has two statements.')
  const typed = text.lastIndexOf('nope')
  expect(placeOfError('13', second, 'run')).toBe(typed)
  expect(placeOfError(String(13 + 'explain (format json, verbose) '.length), second, 'explain')).toBe(typed)
  expect(placeOfError(undefined, second, 'run')).toBeNull()
  expect(placeOfError('3', second, 'explain')).toBeNull()
})

test.each([
  [`alter role ana password 'it''s'`, `alter role ana password '…'`],
  [`create role ana login PASSWORD e'a\\'b'`, `create role ana login PASSWORD '…'`],
  [`select vault.create_secret('sk_live', 'stripe')`, `select vault.create_secret('…', '…')`],
  [`select 'plain'`, `select 'plain'`],
])('%j is remembered as %j', (text, remembered) => {
  expect(withoutSecrets(text)).toBe(remembered)
})
