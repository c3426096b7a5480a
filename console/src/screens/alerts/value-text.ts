import type { AlertRule } from '../../lib/api/schemas.ts'
import { bytesText } from '../../ui/bytes.tsx'
import { formatDuration } from '../../ui/time-text.ts'

type Unit = AlertRule['unit']

const one: Partial<Record<Unit, string>> = { days: 'day', hours: 'hour', runs: 'run' }

/** A value of an alert with its unit; null is one without end. */
export function alertValueText(value: number | null, unit: Unit): string {
  if (unit === 'down') return value === 0 ? 'up' : 'down'
  if (value === null) return 'without end'
  if (unit === 'bytes') return bytesText(Math.round(value))
  if (unit === 'ms') return formatDuration(value)
  const short = Number(value.toPrecision(3))
  if (unit === 'percent') return `${short} %`
  return `${short} ${short === 1 ? (one[unit] ?? unit) : unit}`
}

/** A length of a setting, in its largest whole unit: `30 s`, `5 min`, `1 h`. */
function lengthText(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600} h`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

/** From when on a value is bad, in words: `from 5 %`. */
export function limitText({ bad, begins, unit, forSeconds }: AlertRule): string {
  const lasting = forSeconds === 0 ? '' : ` for ${lengthText(forSeconds)}`
  if (unit === 'down') return `down${lasting}`
  return `${bad === 'above' ? 'from' : 'at most'} ${alertValueText(begins, unit)}${lasting}`
}
