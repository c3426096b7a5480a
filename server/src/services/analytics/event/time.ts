const hourMs = 3_600_000
/** How far ahead of our clock an event may be before ours is taken. */
const furthestAheadMs = 23 * hourMs

// Date.parse knows `+hh:mm` and `Z`; a lone `+hh`, and local time without a zone, are not what clients mean.
const isoForm = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/**
 * Reads a moment as clients write it: ISO 8601 with `Z`, `+hh:mm`, `+hh` or no zone (UTC), a date, or seconds or
 * milliseconds since 1970, as a number or as digits.
 *
 * @returns milliseconds since 1970, or null when it is none of these
 */
export function parseInstant(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? fromEpoch(value) : null
  if (typeof value !== 'string') return null
  const text = value.trim()
  const direct = text.endsWith('Z') ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(direct)) return direct
  if (/^-?\d+(\.\d+)?$/.test(text)) return fromEpoch(Number(text))
  const parts = isoForm.exec(text)
  if (parts === null) return orNull(Date.parse(text))
  const [, date, time = '00:00', zone = 'Z'] = parts
  const offset = zone.length === 3 ? `${zone}:00` : zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone
  return orNull(Date.parse(`${date}T${time.replace(',', '.')}${offset.toUpperCase()}`))
}

const orNull = (ms: number): number | null => (Number.isNaN(ms) ? null : ms)

/** Below this a number counts seconds: as milliseconds it would be a moment of January 1970, as seconds of 5138. */
const fromEpoch = (value: number): number => Math.round(Math.abs(value) < 100_000_000_000 ? value * 1000 : value)

export interface TimeFacts {
  readonly nowMs: number
  readonly timestampMs: number | null
  readonly sentAtMs: number | null
  /** Milliseconds before sending. */
  readonly offsetMs: number | null
  /** The client asked for its own time to stand. */
  readonly ignoreSentAt: boolean
}

/**
 * The event's time on our clock, by the rules of PostHog's capture: the distance that the client saw between event
 * and sending, counted back from our receipt.
 */
export function correctTime({ nowMs, timestampMs, sentAtMs, offsetMs, ignoreSentAt }: TimeFacts): number {
  let time = nowMs
  if (timestampMs !== null) {
    time = sentAtMs !== null && !ignoreSentAt ? nowMs + (timestampMs - sentAtMs) : timestampMs
  } else if (offsetMs !== null) {
    time = nowMs - offsetMs
  }
  if (time > nowMs + furthestAheadMs) return nowMs
  return isPlausibleYear(time) ? time : 0
}

const yearZeroMs = -62_167_219_200_000
const yearTenThousandMs = 253_402_300_800_000
const isPlausibleYear = (ms: number): boolean => ms >= yearZeroMs && ms < yearTenThousandMs

/** When the client says it happened, by its own clock: the same in every resend, so that duplicates share it. */
export function clientTime({ timestampMs, sentAtMs, offsetMs, nowMs }: TimeFacts, uuid: string): number {
  if (timestampMs !== null) return isPlausibleYear(timestampMs) ? timestampMs : 0
  if (offsetMs !== null && sentAtMs !== null) return sentAtMs - offsetMs
  return timeOfUuid(uuid) ?? nowMs
}

/** The milliseconds in a UUID of version 7 (RFC 9562 §5.7). */
function timeOfUuid(uuid: string): number | null {
  return uuid[14] === '7' ? Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16) : null
}

// What DateTime64(3) can hold: 1900 to 2299.
const earliestMs = -2_208_988_800_000
const latestMs = 10_413_791_999_999

/**
 * A moment as a `DateTime64(3, 'UTC')` takes it from JSON: a number without quotes counts its ticks. Neither side
 * makes a date of it.
 */
export const ticksOf = (ms: number): number => Math.trunc(Math.min(Math.max(ms, earliestMs), latestMs))
