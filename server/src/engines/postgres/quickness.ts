/** What statements took lately, as far as it says whether others may be sent behind them. */
export interface Quickness {
  /** Milliseconds to expect; null for what is not known to be quick. */
  expect(text: string, role: string): number | null
  saw(text: string, role: string, ms: number): void
}

/** Longer ones have a connection for themselves. */
const quickMs = 1
const longestMs = 20
const kept = 1000

/**
 * Remembers statements by text and role. What is seen on a busy machine is mostly waiting: so a quick run counts for four
 * slow ones, and a run that took very long for no more than one that took long.
 */
export function createQuickness(): Quickness {
  const roles = new Map<string, Map<string, number>>()
  let size = 0

  return {
    expect(text, role) {
      const ms = roles.get(role)?.get(text)
      return ms === undefined || ms > quickMs ? null : ms
    },
    saw(text, role, ms) {
      let texts = roles.get(role)
      const before = texts?.get(text)
      const seen = Math.min(ms, longestMs)
      if (texts !== undefined && before !== undefined) {
        texts.set(text, before + (seen - before) / (seen < before ? 4 : 16))
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
