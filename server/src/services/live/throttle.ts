/** Calls of a function by a key, at most once within a time for each. */
export interface Throttle<Key> {
  /** At once where the last is long enough ago; else when it is. Several calls meanwhile are one. */
  call(key: Key): void
  close(): void
}

/** Holds nothing of a key that was not called lately. */
export function createThrottle<Key>(everyMs: number, perform: (key: Key) => void): Throttle<Key> {
  const resting = new Map<Key, { isAsked: boolean; readonly timer: NodeJS.Timeout }>()
  const begin = (key: Key): void => {
    const timer = setTimeout(() => {
      const { isAsked } = resting.get(key) ?? { isAsked: false }
      resting.delete(key)
      if (isAsked) begin(key)
    }, everyMs).unref()
    resting.set(key, { isAsked: false, timer })
    perform(key)
  }
  return {
    call(key) {
      const rest = resting.get(key)
      if (rest === undefined) begin(key)
      else rest.isAsked = true
    },
    close() {
      for (const { timer } of resting.values()) clearTimeout(timer)
      resting.clear()
    },
  }
}
