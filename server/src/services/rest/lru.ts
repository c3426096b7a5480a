interface Kept<Value> {
  readonly value: Value
  /** The number of the asking that used it last. */
  usedAt: number
}

/** A memory of at most `capacity` values; the least recently used is forgotten first. */
export class Lru<Value> {
  private readonly byKey = new Map<string, Kept<Value>>()
  private readonly capacity: number
  private askings = 0

  constructor(capacity: number) {
    this.capacity = capacity
  }

  get size(): number {
    return this.byKey.size
  }

  get(key: string): Value | undefined {
    const kept = this.byKey.get(key)
    if (kept === undefined) return undefined
    // Numbered, and not moved to the map's end: that would make the map anew every few askings.
    this.askings += 1
    kept.usedAt = this.askings
    return kept.value
  }

  set(key: string, value: Value): void {
    this.askings += 1
    this.byKey.set(key, { value, usedAt: this.askings })
    if (this.byKey.size > this.capacity) this.forgetOldest()
  }

  clear(): void {
    this.byKey.clear()
  }

  private forgetOldest(): void {
    let oldest: string | null = null
    let usedAt = Number.POSITIVE_INFINITY
    for (const [key, kept] of this.byKey) {
      if (kept.usedAt >= usedAt) continue
      oldest = key
      usedAt = kept.usedAt
    }
    if (oldest !== null) this.byKey.delete(oldest)
  }
}
