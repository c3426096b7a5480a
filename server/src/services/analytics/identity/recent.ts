/** The most recently used entries of a map, no more than a fixed number. */
export interface Recent<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

/** A map that forgets what was not asked for longest. */
export function createRecent<Value>(limit: number): Recent<Value> {
  const entries = new Map<string, Value>()
  return {
    get(key) {
      const value = entries.get(key)
      if (value !== undefined) {
        // A Map keeps the order of insertion: putting it in again makes it the youngest.
        entries.delete(key)
        entries.set(key, value)
      }
      return value
    },
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      const [oldest] = entries.keys()
      if (entries.size > limit && oldest !== undefined) entries.delete(oldest)
    },
  }
}
