import { describe, expect, test } from 'vitest'
import { countDue, createCalendar, passMinutes, startClock } from './clock.ts'
import { parseSchedule } from './parse.ts'

const at = (time: string): number => Date.parse(`2026-03-01T${time}Z`)

/** The minutes of a jump, and of which schedules each is run. */
const jump = (from: string, to: string): readonly string[] =>
  passMinutes(startClock(at(from)), at(to)).due.map(
    ({ minute, wild, fixed }) =>
      `${new Date(minute).toISOString().slice(11, 16)}${wild ? ' wild' : ''}${fixed ? ' fixed' : ''}`,
  )

describe('the clock', () => {
  test.for([
    ['within the minute in which the scheduler starts', '10:00:05', '10:00:59', []],
    ['to the next minute', '10:00:59', '10:01:00', ['10:01 wild fixed']],
    ['three minutes on: each is run', '10:00:00', '10:02:30', ['10:01 wild fixed', '10:02 wild fixed']],
    ['over three hours on: now alone', '10:00:00', '13:01:00', ['13:01 wild fixed']],
    ['an hour back: schedules with a star', '10:00:00', '09:00:00', ['09:00 wild']],
    ['over three hours back: now', '10:00:00', '06:00:00', ['06:00 wild fixed']],
  ] as const)('goes %s', ([, from, to, due]) => {
    expect(jump(from, to)).toEqual(due)
  })

  test('goes ten minutes on: fixed times are caught up, the others run once', () => {
    const due = jump('10:00:00', '10:10:00')
    expect(due).toHaveLength(11)
    expect(due.slice(-2)).toEqual(['10:10 fixed', '10:10 wild'])
  })

  test('runs a minute once, and after being set back waits for the time it had reached', () => {
    let state = startClock(at('10:00:00'))
    const pass = (time: string): number => {
      const passed = passMinutes(state, at(time))
      state = passed.state
      return passed.due.filter(({ fixed }) => fixed).length
    }
    expect(['10:01:00', '10:01:01', '09:30:00', '09:30:30', '10:01:00', '10:02:00'].map(pass)).toEqual([
      1, 0, 0, 0, 0, 1,
    ])
  })
})

describe('a schedule is due', () => {
  const isDueAt = (text: string, time: string, timeZone = 'GMT'): boolean => {
    const schedule = parseSchedule(text)
    if (schedule?.kind !== 'calendar') throw new Error(text)
    const minute = Date.parse(time)
    return countDue(schedule, [{ minute, wild: true, fixed: true, local: createCalendar(timeZone)(minute) }]) === 1
  }

  test.for([
    ['0 0 13 * 5', '2026-11-06T00:00Z', true, 'a Friday that is no 13th'],
    ['0 0 13 * 5', '2026-12-13T00:00Z', true, 'a 13th that is no Friday'],
    ['0 0 13 * 5', '2026-12-14T00:00Z', false, 'neither'],
    ['0 0 */2 * 5', '2026-11-06T00:00Z', false, 'a Friday of an even day'],
    ['0 0 $ * *', '2028-02-29T00:00Z', true, 'the last day of a leap year’s February'],
    ['0 0 $ * *', '2026-02-27T00:00Z', false, 'the day before the last'],
    ['0 0 * * 7', '2026-11-22T00:00Z', true, 'a Sunday'],
  ] as const)('%s at %s: %s, %s', ([text, time, due]) => {
    expect(isDueAt(text, time)).toBe(due)
  })

  test('in the time zone of the scheduler', () => {
    expect(isDueAt('30 9 * * 1', '2026-01-05T00:30Z', 'Asia/Tokyo')).toBe(true)
    expect(isDueAt('0 3 * * *', '2026-07-01T01:00Z', 'Europe/Berlin')).toBe(true)
  })

  test('two times in an hour that the end of summer time repeats, and not in one that its begin leaves out', () => {
    const hours = (day: string): number[] =>
      Array.from({ length: 6 }, (_, hour) => hour).filter((hour) =>
        isDueAt('30 2 * * *', `${day}T0${hour}:30Z`, 'Europe/Berlin'),
      )
    expect(hours('2026-10-25')).toEqual([0, 1])
    expect(hours('2026-03-29')).toEqual([])
  })
})
