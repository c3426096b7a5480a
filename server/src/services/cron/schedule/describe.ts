import type { CalendarSchedule, Schedule } from './parse.ts'

const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'],
  ...['November', 'December'],
]
/** More times of day than these are told by hours and minutes apart. */
const mostTimes = 6

/** A schedule in words: `at 03:30 on Monday to Friday`; null for a text that is no schedule. */
export function describeSchedule(schedule: Schedule | null): string | null {
  if (schedule === null) return null
  if (schedule.kind === 'start') return 'when Clew starts'
  if (schedule.kind === 'interval') return schedule.seconds === 1 ? 'every second' : `every ${schedule.seconds} seconds`
  return [timeOfDay(schedule), daysOf(schedule), monthsOf(schedule)].filter((part) => part !== '').join(' ')
}

function timeOfDay({ minutes, hours }: CalendarSchedule): string {
  const [minuteList, hourList] = [sorted(minutes), sorted(hours)]
  const isEveryHour = hourList.length === 24
  const isOnce = minuteList.length === 1
  if (isEveryHour) {
    const step = stepOf(minuteList, 60)
    if (minuteList.length === 60) return 'every minute'
    if (step !== null) return `every ${step} minutes`
    return isOnce && minuteList[0] === 0 ? 'every hour' : `every hour at minute ${ranges(minuteList)}`
  }
  const step = stepOf(hourList, 24)
  if (isOnce && step !== null) return `every ${step} hours${minuteList[0] === 0 ? '' : ` at minute ${minuteList[0]}`}`
  if (minuteList.length * hourList.length <= mostTimes)
    return `at ${listed(hourList.flatMap((hour) => minuteList.map((minute) => `${padded(hour)}:${padded(minute)}`)))}`
  const minuteWords =
    minuteList.length === 60
      ? 'every minute'
      : stepOf(minuteList, 60) !== null
        ? `every ${stepOf(minuteList, 60)} minutes`
        : `at minute ${ranges(minuteList)}`
  return `${minuteWords} of hour ${ranges(hourList, padded)}`
}

function daysOf(schedule: CalendarSchedule): string {
  const { days, weekdays, lastDay, needsBothDays } = schedule
  const dayList = sorted(days)
  const weekdayList = sorted(new Set([...weekdays].map((weekday) => weekday % 7)))
  const isAnyDay = dayList.length === 31
  const isAnyWeekday = weekdayList.length === 7
  const month = lastDay ? 'on the last day of the month' : `on day ${ranges(dayList)} of the month`
  const week = `on ${rangesOf(weekdayList)
    .map(([first, last]) => dayRange(first, last))
    .join(', ')}`
  if (isAnyDay && isAnyWeekday) return sorted(schedule.hours).length === 24 ? '' : 'every day'
  if (isAnyDay && needsBothDays) return week
  if (isAnyWeekday && needsBothDays) return month
  return `${month} ${needsBothDays ? 'and' : 'or'} ${week}`
}

function monthsOf({ months }: CalendarSchedule): string {
  const list = sorted(months)
  return list.length === 12 ? '' : `in ${listed(list.map((month) => monthNames[month - 1] ?? ''))}`
}

const dayRange = (first: number, last: number): string => {
  const [from = '', to = ''] = [weekdayNames[first], weekdayNames[last]]
  return first === last ? from : last === first + 1 ? `${from}, ${to}` : `${from} to ${to}`
}

const sorted = (values: ReadonlySet<number>): readonly number[] => [...values].toSorted((one, other) => one - other)
const padded = (value: number): string => String(value).padStart(2, '0')
const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** The step of values that begin at 0 and fill a whole evenly, `0, 15, 30, 45`; null for others. */
function stepOf(values: readonly number[], whole: number): number | null {
  const step = whole / values.length
  const isEven = values.length > 1 && values.length < whole && Number.isInteger(step)
  return isEven && values.every((value, index) => value === index * step) ? step : null
}

/** Neighbouring values as ranges of first and last. */
function rangesOf(values: readonly number[]): readonly (readonly [first: number, last: number])[] {
  const found: [number, number][] = []
  for (const value of values) {
    const current = found.at(-1)
    if (current !== undefined && value === current[1] + 1) current[1] = value
    else found.push([value, value])
  }
  return found
}

const ranges = (values: readonly number[], written: (value: number) => string = String): string =>
  listed(
    rangesOf(values).flatMap(([first, last]) =>
      first === last
        ? [written(first)]
        : last === first + 1
          ? [written(first), written(last)]
          : [`${written(first)}–${written(last)}`],
    ),
  )
