const relativeForm = /^-?([0-9]+)([hdwmy])$/
const zonelessForm = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/
const hourMs = 3_600_000

/** The instant of a date: ISO 8601, or milliseconds since 1970; a text without a zone is UTC. Null for anything else. */
export function readDate(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = typeof value === 'string' && zonelessForm.test(value) ? `${value.replace(' ', 'T')}Z` : value
  const instant = new Date(text).getTime()
  return Number.isNaN(instant) ? null : instant
}

/** A date, or a time before now: `-7d`, `3m`; up to 9999 hours, days, weeks, months or years. */
export function readDateFilter(value: unknown): ((nowMs: number) => number) | null {
  const [, digits, unit] = relativeForm.exec(typeof value === 'string' ? value : '') ?? []
  if (digits === undefined) {
    const instant = readDate(value)
    return instant === null ? null : () => instant
  }
  const count = Number(digits)
  if (count >= 10_000) return null
  if (unit === 'h') return (nowMs) => nowMs - count * hourMs
  if (unit === 'd') return (nowMs) => nowMs - count * 24 * hourMs
  if (unit === 'w') return (nowMs) => nowMs - count * 7 * 24 * hourMs
  return (nowMs) => minusMonths(nowMs, unit === 'm' ? count : count * 12, unit === 'm' ? 1 : 12)
}

/** Goes back in steps; the day is clamped to the month's last after each of them, and stays clamped (analytics §5.2). */
function minusMonths(nowMs: number, months: number, step: 1 | 12): number {
  const date = new Date(nowMs)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth()
  let day = date.getUTCDate()
  for (let back = step; back <= months && day > 28; back += step)
    day = Math.min(day, new Date(Date.UTC(year, month - back + 1, 0)).getUTCDate())
  return date.setUTCFullYear(year, month - months, day)
}
