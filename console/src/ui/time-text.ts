/** An offset in a session as its tracks show it: `0:40.8`, `12:03`, `1:02:03`. */
export function formatOffset(ms: number, { tenths = false }: { tenths?: boolean } = {}): string {
  const safe = Math.max(0, ms)
  // Never rounded up: a moment at 40.96 s has not reached 41.
  const tenthsTotal = Math.floor(safe / 100)
  const seconds = Math.floor(tenthsTotal / 10)
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = String(seconds % 60).padStart(2, '0')
  const head = hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}` : `${minutes}`
  return tenths ? `${head}:${rest}.${tenthsTotal % 10}` : `${head}:${rest}`
}

/** How long something took: `0.4 ms`, `18 ms`, `1.2 s`, `4 m 12 s`, `2 h 5 m`. */
export function formatDuration(ms: number): string {
  if (ms < 0.05) return '0 ms'
  if (ms < 9.95) return `${ms.toFixed(1)} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} m`
}

// A formatter that is made for each date takes longer than all the rest of a table's row.
const weekdays = new Intl.DateTimeFormat('en-GB', { weekday: 'short' })
const days = new Intl.DateTimeFormat('en-GB', { month: 'short', day: 'numeric' })
const times = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
const dates = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'short', day: 'numeric' })
const exacts = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

const withinWeekMs = 6 * 86_400_000

/**
 * How long ago, or how soon: `just now`, `12 s ago`, `4 min ago`, `3 h ago`; of the last days which one and when,
 * `Fri 17:41`, for "1 d ago" would be said of a whole day's rows; a date beyond.
 */
export function formatRelative(at: Date, now: Date): string {
  const seconds = (now.getTime() - at.getTime()) / 1000
  const count = Math.abs(seconds)
  if (count < 5) return 'just now'
  const side = (text: string) => (seconds < 0 ? `in ${text}` : `${text} ago`)
  if (count < 60) return side(`${Math.floor(count)} s`)
  if (count < 3600) return side(`${Math.floor(count / 60)} min`)
  if (count < 86_400) return side(`${Math.floor(count / 3600)} h`)
  if (seconds < 0 && count < 7 * 86_400) return side(`${Math.floor(count / 86_400)} d`)
  if (seconds > 0 && count * 1000 < withinWeekMs) return `${weekdays.format(at)} ${times.format(at).slice(0, 5)}`
  return dates.format(at)
}

/** The wall clock in the viewer's zone; with the day when it is not today, and in twelve characters either way. */
export function formatClock(at: Date, now: Date): string {
  const time = `${times.format(at)}.${String(at.getMilliseconds()).padStart(3, '0')}`
  if (at.toDateString() === now.toDateString()) return time
  const agoMs = now.getTime() - at.getTime()
  if (agoMs > 0 && agoMs < withinWeekMs) return `${weekdays.format(at)} ${time.slice(0, 8)}`
  return `${days.format(at)} ${time.slice(0, 5)}`
}

/** The exact instant, in the viewer's zone and in UTC, for a hover. */
export function formatExact(at: Date): string {
  return `${exacts.format(at)}\n${at.toISOString()}`
}

/** Sizes as people read them: `812 B`, `14.2 kB`, `3.1 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
