import { setTimeout as wait } from 'node:timers/promises'

/** Where jobs come from and what is done with them. */
export interface PumpOptions<Job> {
  /** Jobs at a time. */
  readonly concurrency: number
  /** Jobs that begin in a second. */
  readonly perSecond: number
  /** How often is looked for jobs that no notification told of. */
  readonly pollMs: number
  readonly claim: (limit: number) => Promise<readonly Job[]>
  /** Never rejects. */
  readonly run: (job: Job, signal: AbortSignal) => Promise<void>
  readonly onError: (error: unknown) => void
  /** Milliseconds of a clock that never jumps. */
  readonly elapsedMs: () => number
}

/** Claims jobs and runs them, some at a time. */
export interface Pump {
  /** Looks for jobs now. */
  wake(): void
  /** Looks for jobs at that moment. */
  wakeIn(delayMs: number): void
  inFlight(): number
  /** Claims no more, and waits for what runs; after `graceMs` that is aborted. */
  close(graceMs: number): Promise<void>
}

/** A pump, which waits for its first `wake`. No more jobs are in memory than run. */
export function createPump<Job>(options: PumpOptions<Job>): Pump {
  const { concurrency, perSecond, pollMs, claim, run, onError, elapsedMs } = options
  const running = new Set<Promise<void>>()
  const timers = new Set<NodeJS.Timeout>()
  const stop = new AbortController()
  let closed = false
  let claiming: Promise<void> | null = null
  let wanted = false
  let allowance = perSecond
  let allowanceAt = elapsedMs()
  let poll: NodeJS.Timeout | undefined

  const refill = (): number => {
    const at = elapsedMs()
    allowance = Math.min(perSecond, allowance + ((at - allowanceAt) / 1000) * perSecond)
    allowanceAt = at
    return Math.floor(allowance)
  }

  const begin = (job: Job): void => {
    const task = run(job, stop.signal).finally(() => {
      running.delete(task)
      if (wanted) wake()
    })
    running.add(task)
  }

  const claimOnce = async (): Promise<void> => {
    while (wanted && !closed && running.size < concurrency) {
      const allowed = refill()
      if (allowed < 1) {
        wanted = false
        return wakeIn(1000 / perSecond)
      }
      const limit = Math.min(concurrency - running.size, allowed)
      wanted = false
      const jobs = await claim(limit)
      // A full claim may have left more behind.
      if (jobs.length === limit) wanted = true
      allowance -= jobs.length
      for (const job of jobs) begin(job)
    }
  }

  const wake = (): void => {
    if (closed) return
    wanted = true
    clearTimeout(poll)
    poll = setTimeout(wake, pollMs)
    poll.unref()
    claiming ??= claimOnce()
      .catch((error: unknown) => {
        wanted = false
        onError(error)
      })
      .finally(() => {
        claiming = null
        // Woken after the last look; a task that ends does it where there is no room.
        if (wanted && running.size < concurrency) wake()
      })
  }

  const wakeIn = (delayMs: number): void => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      wake()
    }, delayMs)
    timers.add(timer)
  }

  return {
    wake,
    wakeIn,
    inFlight: () => running.size,
    async close(graceMs) {
      closed = true
      clearTimeout(poll)
      for (const timer of timers) clearTimeout(timer)
      await claiming
      const grace = new AbortController()
      const settled = Promise.all(running).finally(() => grace.abort())
      await Promise.race([settled, wait(graceMs, undefined, { signal: grace.signal }).catch(() => undefined)])
      stop.abort()
      await settled
    },
  }
}
