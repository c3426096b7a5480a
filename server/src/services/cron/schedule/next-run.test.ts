import { expect, test } from 'vitest'
import { createCalendar, isDue } from './clock.ts'
import { findNextRun, withMemory } from './next-run.ts'
import { type CalendarSchedule, parseSchedule } from './parse.ts'

const calendar = (text: string): CalendarSchedule => {
  const schedule = parseSchedule(text)
  if (schedule?.kind !== 'calendar') throw new Error(`${text} is no calendar`)
  return schedule
}

const next = (text: string, now: string, timeZone = 'GMT'): string | null => {
  const at = findNextRun(calendar(text), Date.parse(now), createCalendar(timeZone))
  return at === null ? null : new Date(at).toISOString().slice(0, 16)
}

test.for([
  ['* * * * *', '2026-03-01T10:00:30Z', '2026-03-01T10:01'],
  ['0 * * * *', '2026-03-01T10:00:00Z', '2026-03-01T11:00'],
  ['30 3 * * *', '2026-03-01T03:30:00Z', '2026-03-02T03:30'],
  ['59 23 * * *', '2026-03-01T23:58:59Z', '2026-03-01T23:59'],
  ['0 0 * * mon', '2026-03-01T10:00:00Z', '2026-03-02T00:00'],
  ['0 0 $ * *', '2026-03-01T10:00:00Z', '2026-03-31T00:00'],
  ['15 6 1 1 *', '2026-03-01T10:00:00Z', '2027-01-01T06:15'],
  ['0 0 13 * 5', '2026-03-01T10:00:00Z', '2026-03-06T00:00'],
  ['0 0 29 2 *', '2026-03-01T10:00:00Z', null],
  ['0 0 31 feb *', '2026-03-01T10:00:00Z', null],
] as const)('%j after %s is due at %s', ([text, now, expected]) => {
  expect(next(text, now)).toBe(expected)
})

test('a schedule is read in its time zone, also on the days whose hours change', () => {
  expect(next('30 3 * * *', '2026-06-01T00:00:00Z', 'Europe/Berlin')).toBe('2026-06-01T01:30')
  // At 2:00 it is 3:00.
  expect(next('30 0 * * mon', '2026-03-29T12:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T22:30')
  expect(next('30 2 29 3 *', '2026-03-28T12:00:00Z', 'Europe/Berlin')).toBe('2027-03-29T00:30')
  expect(next('30 2 25 10 *', '2026-10-24T12:00:00Z', 'Europe/Berlin')).toBe('2026-10-25T00:30')
})

test('no minute that is due is passed over', () => {
  const start = Date.parse('2026-03-27T00:00:00Z')
  for (const timeZone of ['GMT', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/St_Johns']) {
    const localOf = withMemory(createCalendar(timeZone))
    for (const text of ['7 */5 * * *', '0 0 * * 0', '59 23 28,29 * *', '*/20 0,23 * * *', '0 1 $ * *']) {
      const schedule = calendar(text)
      const minutes = Array.from({ length: 6 * 1440 }, (_, index) => start + (index + 1) * 60_000)
      const due = minutes.filter((at) => isDue(schedule, localOf(at)))
      const found: number[] = []
      let at = findNextRun(schedule, start, localOf)
      while (at !== null && at <= (minutes.at(-1) ?? 0)) {
        found.push(at)
        at = findNextRun(schedule, at, localOf)
      }
      expect(found, `${text} in ${timeZone}`).toEqual(due)
    }
  }
})
