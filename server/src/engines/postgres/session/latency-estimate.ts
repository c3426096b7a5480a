/** How long statements take, from their last runs. It decides which may share a connection. */
export interface LatencyEstimate {
  /** Milliseconds to expect; null for a statement that is not known to be quick. */
  expectMs(text: string, role: string): number | null
  /**
   * @param ms   from when the server could begin with it
   * @param busy connections that the server worked for
   */
  observe(text: string, role: string, ms: number, busy: number): void
}

/** A statement that takes longer has a connection to itself. */
const quickMs = 1
/** A longer run counts as this: one very slow run says no more than one slow run. */
const longestMs = 20
const maxStatements = 1000

/**
 * Estimates each statement, by text and role, as the moving average of its last few runs.
 *
 * @param processors that the server runs on: where more connections than these are busy, a run is mostly waiting
 */
export function createLatencyEstimate(processors: number): LatencyEstimate {
  const roles = new Map<string, Map<string, number>>()
  let size = 0

  return {
    expectMs(text, role) {
      const ms = roles.get(role)?.get(text)
      return ms === undefined || ms > quickMs ? null : ms
    },
    observe(text, role, ms, busy) {
      const observedMs = Math.min(ms * Math.min(1, processors / busy), longestMs)
      let texts = roles.get(role)
      const before = texts?.get(text)
      if (texts !== undefined && before !== undefined) {
        texts.set(text, before + (observedMs - before) / 8)
        return
      }
      if (size >= maxStatements) {
        roles.clear()
        size = 0
        texts = undefined
      }
      if (texts === undefined) {
        texts = new Map()
        roles.set(role, texts)
      }
      texts.set(text, observedMs)
      size += 1
    },
  }
}
