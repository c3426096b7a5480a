import { expect, test } from 'vitest'
import { beginningOf } from './parts.ts'
import { walFileName } from './segments.ts'

// As `pg_walfile_name` of PostgreSQL 18 answers them.
test.each([
  [1, 3, 16, '000000010000000000000003'],
  [2, 256, 16, '000000020000000100000000'],
  [1, 259, 16, '000000010000000100000003'],
  [31, 70, 64, '0000001F0000000100000006'],
])('timeline %i, segment %i of %i MiB is called as PostgreSQL calls it', (timeline, segment, mib, name) => {
  expect(walFileName(timeline, segment, mib * 1024 ** 2)).toBe(name)
})

const part = (from: number, to: number) => ({ segment: 1, from, to })

test.each([
  ['none', [], 0],
  ['parts one after another', [part(0, 10), part(10, 30)], 30],
  ['one that takes the place of others that are still there', [part(0, 40), part(0, 10), part(10, 30)], 40],
  ['one that was put twice', [part(0, 10), part(10, 20), part(10, 15)], 20],
  ['up to a hole', [part(0, 10), part(12, 30)], 10],
  ['without a beginning', [part(5, 30)], 0],
])('the beginning of a segment: %s', (_what, parts, bytes) => {
  expect(beginningOf(parts).bytes).toBe(bytes)
})
