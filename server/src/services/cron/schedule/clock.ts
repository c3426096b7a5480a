import type { CalendarSchedule } from './parse.ts'

const minuteMs = 60_000
/** Up to so many minutes later, each of them is run as if it were now. */
const mostCaughtUp = 5
/** From here on, forwards or backwards, the clock was set anew: the minutes between are left out. */
const clockChangeMinutes = 180

/** Where the scheduler is in time, in Unix milliseconds of a minute's start. */
export interface ClockState {
  /** The last minute that was run, or left out on purpose. */
  readonly lastMinute: number
  /** The last minute that the clock showed; earlier than `lastMinute` after the clock was set back. */
  readonly seenMinute: number
}

/** A minute to run, and of which schedules: those with `*` for the minute or hour, or those of fixed times. */
export interface DueMinute {
  readonly minute: number
  readonly wild: boolean
  readonly fixed: boolean
}

/** Unix milliseconds of the start of a minute. */
const minuteOf = (nowMs: number): number => Math.floor(nowMs / minuteMs) * minuteMs

/** Milliseconds until the next minute begins. */
export const untilNextMinute = (nowMs: number): number => minuteOf(nowMs) + minuteMs - nowMs

/** A scheduler begins with the minute after the one in which it starts: what was missed before is not caught up. */
export const startClock = (nowMs: number): ClockState => ({ lastMinute: minuteOf(nowMs), seenMinute: minuteOf(nowMs) })

/**
 * The minutes that are due, by the rules of Vixie cron for a clock that jumps: up to five minutes are caught up; of up to
 * three hours, as after a sleep, the fixed times; when the clock goes back, fixed times are not run a second time.
 */
export function passMinutes(state: ClockState, nowMs: number): { due: readonly DueMinute[]; state: ClockState } {
  const now = minuteOf(nowMs)
  if (now === state.seenMinute) return { due: [], state }
  const passed = (now - state.lastMinute) / minuteMs
  const passedMinutes = (wild: boolean): DueMinute[] =>
    Array.from({ length: passed }, (_, index) => ({
      minute: state.lastMinute + (index + 1) * minuteMs,
      wild,
      fixed: true,
    }))
  const moved: ClockState = { lastMinute: now, seenMinute: now }
  if (passed === 0) return { due: [], state: moved }
  if (Math.abs(passed) > clockChangeMinutes) return { due: [{ minute: now, wild: true, fixed: true }], state: moved }
  if (passed < 0) return { due: [{ minute: now, wild: true, fixed: false }], state: { ...state, seenMinute: now } }
  if (passed <= mostCaughtUp) return { due: passedMinutes(true), state: moved }
  return { due: [...passedMinutes(false), { minute: now, wild: true, fixed: false }], state: moved }
}

/** A minute as a time zone's calendar shows it. */
export interface LocalMinute {
  readonly minute: number
  readonly hour: number
  readonly day: number
  readonly month: number
  /** From Sunday, 0. */
  readonly weekday: number
  readonly isLastDay: boolean
}

/** Shows instants in a time zone. @throws RangeError for one that is not known */
export function createCalendar(timeZone: string): (atMs: number) => LocalMinute {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  const read = (atMs: number) => {
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]))
    const [year = 0, month = 0, day = 0] = [parts.get('year'), parts.get('month'), parts.get('day')]
    return { year, month, day, hour: parts.get('hour') ?? 0, minute: parts.get('minute') ?? 0 }
  }
  return (atMs) => {
    const { year, month, day, hour, minute } = read(atMs)
    const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay()
    const isLastDay = new Date(Date.UTC(year, month - 1, day + 1)).getUTCDate() === 1
    return { minute, hour, day, month, weekday, isLastDay }
  }
}

/** Whether a schedule names a minute. */
export function isDue(schedule: CalendarSchedule, at: LocalMinute): boolean {
  const { minutes, hours, days, months, weekdays, lastDay, needsBothDays } = schedule
  if (!minutes.has(at.minute) || !hours.has(at.hour) || !months.has(at.month)) return false
  const fitsMonth = days.has(at.day) || (lastDay && at.isLastDay)
  const fitsWeek = weekdays.has(at.weekday)
  return needsBothDays ? fitsMonth && fitsWeek : fitsMonth || fitsWeek
}

/** How often a schedule is due in these minutes. */
export function countDue(
  schedule: CalendarSchedule,
  due: readonly (DueMinute & { readonly local: LocalMinute })[],
): number {
  return due.filter((each) => (schedule.isWild ? each.wild : each.fixed) && isDue(schedule, each.local)).length
}
