/** A memory of at most `capacity` values; the least recently used is forgotten first. */
export class Lru<Value> {
  private readonly byKey = new Map<string, Value>()
  private readonly capacity: number

  constructor(capacity: number) {
    this.capacity = capacity
  }

  get size(): number {
    return this.byKey.size
  }

  get(key: string): Value | undefined {
    const value = this.byKey.get(key)
    if (value === undefined) return undefined
    // Deleting first moves the entry to the end, so that the first key is always the least recently used.
    this.byKey.delete(key)
    this.byKey.set(key, value)
    return value
  }

  set(key: string, value: Value): void {
    this.byKey.delete(key)
    this.byKey.set(key, value)
    if (this.byKey.size <= this.capacity) return
    for (const oldest of this.byKey.keys()) {
      this.byKey.delete(oldest)
      return
    }
  }

  clear(): void {
    this.byKey.clear()
  }
}
