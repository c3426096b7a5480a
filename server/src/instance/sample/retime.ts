/** A part of the recording, and the time of day at which it is shown. */
export interface Scene {
  /** Milliseconds since 1970. */
  readonly recordedAt: number
  /** `HH:MM:SS` */
  readonly timeOfDay: string
}

/** The shift of a recording's instants, piece by piece, in whole seconds. */
export interface Timeline {
  /** Oldest first. */
  readonly pieces: readonly { readonly fromMs: number; readonly bySeconds: number }[]
  /** End of the recording. */
  readonly untilMs: number
}

/** Puts a recording's scenes on a day that begins at `midnight`. */
export function planTimeline(scenes: readonly Scene[], untilMs: number, midnight: Date): Timeline {
  const pieces = scenes
    .map(({ recordedAt, timeOfDay }) => {
      const [hours = 0, minutes = 0, seconds = 0] = timeOfDay.split(':').map(Number)
      // In whole seconds, so that a scene's first instant belongs to it in every notation.
      const beganAt = Math.floor(recordedAt / 1000)
      const shownAt = Math.floor(midnight.getTime() / 1000) + hours * 3600 + minutes * 60 + seconds
      return { fromMs: beganAt * 1000, bySeconds: shownAt - beganAt }
    })
    .sort((a, b) => a.fromMs - b.fromMs)
  return { pieces, untilMs }
}

/**
 * Shifts every instant of the recording within a text, in any column or nested JSON. Instants before and after the
 * recording stay. Shifts are whole seconds, so that fractions stay to the digit.
 */
export function retime(text: string, timeline: Timeline): string {
  let shifted = text
  for (const { pattern, read, write } of notations)
    shifted = shifted.replace(pattern, (found) => {
      const bySeconds = shiftOf(read(found), timeline)
      return bySeconds === 0 ? found : write(found, bySeconds)
    })
  return shifted
}

function shiftOf(ms: number, { pieces, untilMs }: Timeline): number {
  return ms > untilMs ? 0 : (pieces.findLast(({ fromMs }) => fromMs <= ms)?.bySeconds ?? 0)
}

interface Notation {
  readonly pattern: RegExp
  /** Milliseconds since 1970, of which a fraction of a second may be left out. */
  read(found: string): number
  write(found: string, bySeconds: number): string
}

const dateTime = /^(\d{4}-\d\d-\d\d)([ T])(\d\d:\d\d:\d\d)(.*)$/

/** The notations of instants in stored rows. At most one matches at any position. */
const notations: readonly Notation[] = [
  {
    // Milliseconds since 1970.
    pattern: /(?<![\d.])1\d{12}(?!\d)/g,
    read: Number,
    write: (found, bySeconds) => String(Number(found) + bySeconds * 1000),
  },
  {
    // Seconds since 1970.
    pattern: /(?<![\d.])1\d{9}(?!\d)/g,
    read: (found) => Number(found) * 1000,
    write: (found, bySeconds) => String(Number(found) + bySeconds),
  },
  {
    // ISO 8601, or SQL's form of it; UTC without a zone.
    pattern: /(?<!\d)20\d\d-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)?/g,
    read(found) {
      const [, date, , time, rest = ''] = dateTime.exec(found) ?? []
      const [, sign, hours = 0, minutes = 0] = /([+-])(\d\d):?(\d\d)?$/.exec(rest) ?? []
      const zoneMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1)
      return Date.parse(`${date}T${time}Z`) - zoneMs
    },
    write(found, bySeconds) {
      const [, date, between = '', time, rest = ''] = dateTime.exec(found) ?? []
      const shifted = new Date(Date.parse(`${date}T${time}Z`) + bySeconds * 1000).toISOString()
      return shifted.slice(0, 10) + between + shifted.slice(11, 19) + rest
    },
  },
  {
    // The first 48 bits of a UUID of version 7 (RFC 9562 §5.7).
    pattern: /(?<![0-9a-f])0[0-9a-f]{7}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![0-9a-f])/g,
    read: (found) => Number.parseInt(found.slice(0, 8) + found.slice(9, 13), 16),
    write(found, bySeconds) {
      const ms = Number.parseInt(found.slice(0, 8) + found.slice(9, 13), 16) + bySeconds * 1000
      const time = ms.toString(16).padStart(12, '0')
      return `${time.slice(0, 8)}-${time.slice(8)}${found.slice(13)}`
    },
  },
]
