/** Times of day on some days, in the time zone of the scheduler. */
export interface CalendarSchedule {
  readonly kind: 'calendar'
  readonly minutes: ReadonlySet<number>
  readonly hours: ReadonlySet<number>
  /** Days of the month, 1 to 31. */
  readonly days: ReadonlySet<number>
  /** 1 to 12. */
  readonly months: ReadonlySet<number>
  /** 0 to 6, from Sunday. */
  readonly weekdays: ReadonlySet<number>
  /** `$`: the last day of each month. */
  readonly lastDay: boolean
  /** Whether a day must fit its month and its week; one of the two is enough otherwise. */
  readonly needsBothDays: boolean
  /** Whether the field of the minute or of the hour begins with `*`: such jobs are not caught up after a clock jump. */
  readonly isWild: boolean
}

/** When a job runs: by the calendar, some seconds after its last start, or once when the scheduler starts. */
export type Schedule =
  | CalendarSchedule
  | { readonly kind: 'interval'; readonly seconds: number }
  | { readonly kind: 'start' }

interface Field {
  readonly low: number
  readonly high: number
  /** Names of the values from `low` on. */
  readonly names: readonly string[]
}

const minuteField: Field = { low: 0, high: 59, names: [] }
const hourField: Field = { low: 0, high: 23, names: [] }
const dayField: Field = { low: 1, high: 31, names: [] }
const monthField: Field = {
  low: 1,
  high: 12,
  names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
}
const weekdayField: Field = { low: 0, high: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] }

const mostBytes = 1000
const intervalPattern = /^[ \t\n\v\f\r]*\+?([0-9]+)[ \t\n\v\f\r]*second(s[ \t\n\v\f\r]*)?$/i
const leadingLines = /^(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*/
const fieldsPattern = /^([^ \t\n]+)[ \t]+([^ \t\n]+)[ \t]+([^ \t\n]+)[ \t]+([^ \t\n]+)[ \t]+([^ \t\n]+)/
const itemPattern =
  /(?:(?<star>\*)|(?<first>[0-9A-Za-z]+)(?:(?<dash>-)(?<last>[0-9A-Za-z]*))?)(?:(?<slash>\/)(?<step>[0-9A-Za-z]*))?(?<comma>,)?/y

const shorthands: Readonly<Record<string, string>> = {
  yearly: '0 0 1 1 *',
  annually: '0 0 1 1 *',
  monthly: '0 0 1 * *',
  weekly: '0 0 * * 0',
  daily: '0 0 * * *',
  midnight: '0 0 * * *',
  hourly: '0 * * * *',
}

/**
 * Reads a schedule by pg_cron's rules: five fields of cron, `@daily` and its like, or `30 seconds`. The extension's
 * `cron.is_schedule` accepts the same texts. Returns null for any other text.
 *
 * @see https://github.com/citusdata/pg_cron#what-is-pg_cron
 */
export function parseSchedule(text: string): Schedule | null {
  const interval = intervalPattern.exec(text)
  if (interval !== null) {
    const seconds = Number(interval[1])
    return seconds >= 1 && seconds <= 59 ? { kind: 'interval', seconds } : null
  }
  if (Buffer.byteLength(text) >= mostBytes) return null
  const line = text.replace(leadingLines, '')
  if (!line.startsWith('@')) return parseFields(line)
  const word = /^[^ \t\n]*/.exec(line.slice(1))?.[0] ?? ''
  if (word === 'reboot' || word === 'restart') return { kind: 'start' }
  return Object.hasOwn(shorthands, word) ? parseFields(shorthands[word] ?? '') : null
}

function parseFields(line: string): CalendarSchedule | null {
  const [, minute = '', hour = '', day = '', month = '', weekday = ''] = fieldsPattern.exec(line) ?? []
  const lastDay = day === '$'
  const minutes = parseField(minute, minuteField)
  const hours = parseField(hour, hourField)
  const days = lastDay ? new Set<number>() : parseField(day, dayField)
  const months = parseField(month, monthField)
  const weekdays = parseField(weekday, weekdayField)
  if (minutes === null || hours === null || days === null || months === null || weekdays === null) return null
  // 0 and 7 are both Sunday.
  if (weekdays.has(7)) weekdays.add(0)
  const isWild = minute.startsWith('*') || hour.startsWith('*')
  const needsBothDays = day.startsWith('*') || weekday.startsWith('*')
  return { kind: 'calendar', minutes, hours, days, months, weekdays, lastDay, needsBothDays, isWild }
}

/** What follows a value without a comma is passed over, as cron does. */
function parseField(text: string, field: Field): Set<number> | null {
  const values = new Set<number>()
  itemPattern.lastIndex = 0
  for (;;) {
    const item = itemPattern.exec(text)?.groups
    if (item === undefined) return null
    const isStar = item.star !== undefined
    const isRange = isStar || item.dash !== undefined
    const first = isStar ? field.low : readNumber(item.first ?? '', field)
    const last = isStar ? field.high : isRange ? readNumber(item.last ?? '', field) : first
    const step = item.slash === undefined ? 1 : readNumber(item.step ?? '', { low: 0, high: 0, names: [] })
    if (!isWithin(first, field) || !isWithin(last, field)) return null
    if (step === null || step < 1 || (item.slash !== undefined && (step > field.high || !isRange))) return null
    for (const value of valuesOf(first, last, step, field.low)) values.add(value)
    if (item.comma === undefined) return values
  }
}

const isWithin = (value: number | null, { low, high }: Field): value is number =>
  value !== null && value >= low && value <= high

function readNumber(word: string, { low, names }: Field): number | null {
  const place = names.indexOf(word.toLowerCase())
  if (place !== -1) return place + low
  return /^[0-9]+$/.test(word) ? Number(word) : null
}

/**
 * The values of a range. A range that ends before it begins (`22-2`) is cron's: its bits are set byte by byte, so that it
 * holds the values from its begin to the end of that byte and those from the start of the last byte to its end.
 */
function* valuesOf(first: number, last: number, step: number, low: number): Generator<number> {
  for (let value = first; value <= last; value += step) yield value
  const firstByte = Math.floor((first - low) / 8)
  const lastByte = Math.floor((last - low) / 8)
  if (step !== 1 || lastByte >= firstByte) return
  for (let bit = first - low; bit < (firstByte + 1) * 8; bit += 1) yield bit + low
  for (let bit = lastByte * 8; bit <= last - low; bit += 1) yield bit + low
}
