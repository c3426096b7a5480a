import { expect, test } from 'vitest'
import { rowTotal } from './row-total.ts'

const explained = (rows: number) => JSON.stringify([{ Plan: { 'Plan Rows': rows } }])

test.each([
  ['planned is the estimate', 'planned', '7', 90, 10, 90],
  ['estimated is the count up to the cap', 'estimated', '7', 90, 10, 7],
  ['estimated is the estimate beyond the cap', 'estimated', '11', 90, 10, 90],
  ['estimated is never less than the rows counted', 'estimated', '11', 5, 10, 11],
  ['estimated without a cap is the larger of both', 'estimated', '7', 90, null, 90],
] as const)('4 %s', (_rule, count, counted, estimate, maxRows, total) => {
  expect(rowTotal(count, counted, explained(estimate), maxRows)).toBe(total)
})
