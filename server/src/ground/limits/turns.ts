/** Runs work when its turn comes. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

export interface TurnsOptions {
  /** How much runs at a time. */
  readonly concurrency: number
  /** How much may wait. */
  readonly queue: number
  /** What is thrown when too much waits already. */
  readonly refuse: () => Error
}

/** Makes a bounded queue for work that would otherwise take every thread or connection there is. */
export function createTurns({ concurrency, queue, refuse }: TurnsOptions): InTurn {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= concurrency) {
      if (waiting.length >= queue) throw refuse()
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      // The turn is handed on rather than given back, so that nobody arriving now overtakes who waits.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
