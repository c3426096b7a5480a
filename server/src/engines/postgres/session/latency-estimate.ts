/** What statements took lately, as far as it says whether others may be sent behind them. */
export interface Quickness {
  /** Milliseconds to expect; null for what is not known to be quick. */
  expect(text: string, role: string): number | null
  /**
   * @param ms   from when the server could begin with it
   * @param busy connections that the server worked for
   */
  saw(text: string, role: string, ms: number, busy: number): void
}

/** Longer ones have a connection for themselves. */
const quickMs = 1
/** One run that took very long says no more than one that took long. */
const longestMs = 20
const kept = 1000

/**
 * Remembers statements by text and role, each at the average of its last few runs.
 *
 * @param processors that the server runs on: where more connections than these are busy, a run is mostly waiting
 */
export function createQuickness(processors: number): Quickness {
  const roles = new Map<string, Map<string, number>>()
  let size = 0

  return {
    expect(text, role) {
      const ms = roles.get(role)?.get(text)
      return ms === undefined || ms > quickMs ? null : ms
    },
    saw(text, role, ms, busy) {
      const seen = Math.min(ms * Math.min(1, processors / busy), longestMs)
      let texts = roles.get(role)
      const before = texts?.get(text)
      if (texts !== undefined && before !== undefined) {
        texts.set(text, before + (seen - before) / 8)
        return
      }
      if (size >= kept) {
        roles.clear()
        size = 0
        texts = undefined
      }
      if (texts === undefined) {
        texts = new Map()
        roles.set(role, texts)
      }
      texts.set(text, seen)
      size += 1
    },
  }
}
