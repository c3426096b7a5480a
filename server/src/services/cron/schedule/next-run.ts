import { isDue, type LocalMinute } from './clock.ts'
import type { CalendarSchedule } from './parse.ts'

const minuteMs = 60_000
const hourMinutes = 60
const dayMinutes = 1440
/** Schedules that are due later than this, as each 29th of February, have no next run that is shown. */
const horizonMs = 400 * dayMinutes * minuteMs

/**
 * When a calendar schedule is due next, in Unix milliseconds; null within the next 400 days.
 *
 * @param localOf `createCalendar`, for several schedules with a memory
 */
export function findNextRun(
  schedule: CalendarSchedule,
  nowMs: number,
  localOf: (atMs: number) => LocalMinute,
): number | null {
  let at = (Math.floor(nowMs / minuteMs) + 1) * minuteMs
  while (at - nowMs < horizonMs) {
    const local = localOf(at)
    if (isDue(schedule, local)) return at
    at += minutesToSkip(schedule, local) * minuteMs
  }
  return null
}

/** To the next hour where this one cannot be due; to shortly before the next day, since a day may end an hour early. */
function minutesToSkip(schedule: CalendarSchedule, local: LocalMinute): number {
  if (schedule.hours.has(local.hour) && isDue({ ...schedule, minutes: new Set([local.minute]) }, local)) return 1
  const toHour = hourMinutes - local.minute
  const isPossibleDay = isDue({ ...schedule, ...anyTime }, local)
  const toDayEnd = dayMinutes - local.hour * hourMinutes - local.minute - 2 * hourMinutes
  return isPossibleDay || toDayEnd <= toHour ? toHour : toDayEnd
}

const numbers = (count: number): ReadonlySet<number> => new Set(Array.from({ length: count }, (_, index) => index))
const anyTime = { minutes: numbers(60), hours: numbers(24) }

/** A calendar that remembers what it showed, since several schedules look at the same instants. */
export function withMemory(localOf: (atMs: number) => LocalMinute): (atMs: number) => LocalMinute {
  const known = new Map<number, LocalMinute>()
  return (atMs) => {
    let local = known.get(atMs)
    if (local === undefined) {
      local = localOf(atMs)
      known.set(atMs, local)
    }
    return local
  }
}
