/** How many parts the last minute is counted in. */
const parts = 12

/** How often `turn` has to be called for the counts to be those of the last minute. */
export const turnMs = 60_000 / parts

/** Counts what happens within the last minute, to a twelfth of it. Adding costs no look at a clock: its owner turns it. */
export class MinuteCount {
  private readonly counts = new Uint32Array(parts)
  private at = 0

  add(amount: number): void {
    this.counts[this.at] = (this.counts[this.at] ?? 0) + amount
  }

  /** Begins the next part of the minute, and forgets the oldest. */
  turn(): void {
    this.at = (this.at + 1) % parts
    this.counts[this.at] = 0
  }

  total(): number {
    return this.counts.reduce((sum, count) => sum + count, 0)
  }
}

/** What a room's members have said, and what they were sent; broadcasts, presence and row changes. */
export class Traffic {
  readonly said = new MinuteCount()
  readonly sent = new MinuteCount()

  turn(): void {
    this.said.turn()
    this.sent.turn()
  }
}
