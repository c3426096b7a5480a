import { expect, test } from 'vitest'
import { planKept, timeOfId } from './keep.ts'

const idAt = (text: string): string => `${text.replaceAll(/[-:]/g, '')}00000Z`
const rules = { keepDaily: 7, keepWeekly: 4, keepMonthly: 12 }
const dayMs = 86_400_000

/** A backup at noon of each of so many days up to 25 November 2026. */
const daily = (days: number): readonly string[] =>
  Array.from({ length: days }, (_, back) => {
    const at = new Date(Date.UTC(2026, 10, 25, 12) - back * dayMs)
    return at.toISOString().replaceAll(/[-:.]/g, '')
  }).sort()

test('an id says when its backup was begun', () => {
  expect(timeOfId('20261125T194308947Z')).toEqual(new Date('2026-11-25T19:43:08.947Z'))
})

test('of a year of nightly backups, seven days, four weeks and twelve months stay, each with its last backup', () => {
  const kept = [...planKept(daily(365), rules)].map((id) => timeOfId(id).toISOString().slice(0, 10)).sort()
  const days = ['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25']
  const weeks = ['2026-11-08', '2026-11-15']
  const months = ['2025-12-31', '2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30']
  const later = ['2026-07-31', '2026-08-31', '2026-09-30', '2026-10-31']
  expect(kept).toEqual([...months, ...later, ...weeks, ...days])
})

test.each([
  ['none of none', [], []],
  ['the last of a day', [idAt('2026-11-25T01:00'), idAt('2026-11-25T23:00')], [idAt('2026-11-25T23:00')]],
  ['the only one, however old', [idAt('2020-01-01T00:00')], [idAt('2020-01-01T00:00')]],
  [
    'days that have a backup count, not days',
    [idAt('2026-01-05T00:00'), idAt('2026-11-25T00:00')],
    [idAt('2026-01-05T00:00'), idAt('2026-11-25T00:00')],
  ],
])('keeps %s', (_what, ids, expected) => {
  expect([...planKept(ids, rules)].sort()).toEqual(expected)
})

test('the newest is kept where no rule keeps any', () => {
  const none = { keepDaily: 0, keepWeekly: 0, keepMonthly: 0 }
  expect([...planKept(daily(3), none)]).toEqual(daily(3).slice(-1))
})
