/** Reads the moment of a session from a link's `?t=`: seconds since the session's start, or nothing. */
export function parseMoment(t: unknown): number | undefined {
  const seconds = typeof t === 'number' ? t : typeof t === 'string' && t !== '' ? Number(t) : Number.NaN
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

/** Milliseconds of a time as a person writes it: `1:23.4`, `1:02:03`, `40`; undefined for what is none. */
export function parseOffset(text: string): number | undefined {
  const parts = /^(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,6}(?:\.\d{1,3})?)$/.exec(text.trim())
  if (parts === null) return undefined
  const [hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0))
  return Math.round(((hours * 60 + minutes) * 60 + seconds) * 1000)
}

/**
 * Milliseconds since a session's start as a link's `?t=`: seconds, to the tenth.
 *
 * @param of the request or the message of a socket whose own moment the link leads to, once the session is loaded
 */
export function momentSearch(atMs: number, of?: string): { t: number; moment?: string } {
  return { t: Math.max(0, Math.round(atMs / 100) / 10), ...(of !== undefined && { moment: of }) }
}
