/** Runs a task as soon as one of the places is free. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>

export interface LimiterOptions {
  /** How many tasks run at a time. */
  readonly concurrency: number
  /** How many more may wait. */
  readonly queue: number
  /** The error thrown when that many wait already. */
  readonly refuse: () => Error
}

/** Bounds tasks that would otherwise take every thread or connection: some run, some wait in order, more are refused. */
export function createLimiter({ concurrency, queue, refuse }: LimiterOptions): Limiter {
  let running = 0
  const waiting: (() => void)[] = []
  return async (task) => {
    if (running >= concurrency) {
      if (waiting.length >= queue) throw refuse()
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await task()
    } finally {
      // The place is handed on rather than given back, so that no new task overtakes a waiting one.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
