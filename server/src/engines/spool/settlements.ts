import { isBefore, type Position } from './segments/segments.ts'

/** Callers that wait until everything before a place is stored. */
export interface Settlements {
  /** Whether a caller waits. */
  isAwaited(): boolean
  /** Resolves when everything before `end` is stored, or when the spool is closed. */
  waitFor(end: Position): Promise<void>
  /** Everything before `done` is stored. */
  stored(done: Position): void
  close(): void
}

export function createSettlements(): Settlements {
  let waiting: { readonly end: Position; readonly resolve: () => void }[] = []
  return {
    isAwaited: () => waiting.length > 0,
    waitFor: (end) => new Promise((resolve) => waiting.push({ end, resolve })),
    stored(done) {
      for (const { end, resolve } of waiting) if (!isBefore(done, end)) resolve()
      waiting = waiting.filter(({ end }) => isBefore(done, end))
    },
    close() {
      for (const { resolve } of waiting) resolve()
    },
  }
}
