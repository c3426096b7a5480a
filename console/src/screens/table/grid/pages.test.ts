import { expect, test } from 'vitest'
import type { Row } from '../../../lib/api/schemas.ts'
import { pageSize } from '../queries.ts'
import { totalOf } from './pages.ts'

const row = {} as Row
const page = (length: number) => ({ rows: Array.from({ length }, () => row) })
const places = (...numbers: number[]) => numbers.map((number) => ({ page: number, fromEnd: false }))
const estimate = { total: 10 * pageSize, totalIsEstimate: true }

test.each([
  ['a counted total', { total: 7, totalIsEstimate: false }, places(0), [page(7)], 7, false],
  ['an estimate', estimate, places(0), [page(pageSize)], 10 * pageSize, true],
  ['rows beyond the estimate', estimate, places(10), [page(pageSize)], 11 * pageSize + 1, true],
  ['a page that is not full', estimate, places(10), [page(3)], 10 * pageSize + 3, false],
  ['an empty page behind a full one', estimate, places(9, 10), [page(pageSize), page(0)], 10 * pageSize, false],
  ['an empty page behind one that is unknown', estimate, places(8), [page(0)], 8 * pageSize, true],
  ['a page that is on its way', estimate, places(9, 10), [page(pageSize), undefined], 10 * pageSize + 1, true],
  ['an empty table', estimate, places(0), [page(0)], 0, false],
])('%s', (_title, reported, asked, pages, total, isEstimate) => {
  expect(totalOf(reported, asked, pages)).toEqual({ total, isEstimate, reported: reported.total })
})
