import { createCalendar } from './clock.ts'
import { describeSchedule } from './describe.ts'
import { findNextRun } from './next-run.ts'
import { parseSchedule } from './parse.ts'

const utc = createCalendar('UTC')

/** A schedule of five fields in UTC, in words, and when it is due after an instant; null for any other text. */
export function readCalendar(
  text: string,
): { readonly words: string; readonly nextAfter: (at: Date) => Date | null } | null {
  const schedule = parseSchedule(text)
  if (schedule?.kind !== 'calendar') return null
  return {
    words: describeSchedule(schedule) ?? '',
    nextAfter(at) {
      const nextMs = findNextRun(schedule, at.getTime(), utc)
      return nextMs === null ? null : new Date(nextMs)
    },
  }
}
