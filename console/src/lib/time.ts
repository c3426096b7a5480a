/** Reads the moment of a session from a link's `?t=`: seconds since the session's start, or nothing. */
export function parseMoment(t: unknown): number | undefined {
  const seconds = typeof t === 'number' ? t : typeof t === 'string' && t !== '' ? Number(t) : Number.NaN
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

/** Milliseconds since a session's start as a link's `?t=`: seconds, to the tenth. */
export function momentSearch(atMs: number): { t: number } {
  return { t: Math.max(0, Math.round(atMs / 100) / 10) }
}
