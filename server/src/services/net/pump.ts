import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'

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
  let allowance: Allowance = { jobs: perSecond, atMs: elapsedMs() }
  let poll: NodeJS.Timeout | undefined

  const begin = (job: Job): void => {
    const task = run(job, stop.signal).finally(() => {
      running.delete(task)
      if (wanted) wake()
    })
    running.add(task)
  }

  const claimOnce = async (): Promise<void> => {
    // Jobs that end in one turn of the event loop are followed by one claim.
    await nextTurn()
    while (wanted && !closed && running.size < concurrency) {
      allowance = refill(allowance, perSecond, elapsedMs())
      if (allowance.jobs < 1) {
        wanted = false
        return wakeIn(1000 / perSecond)
      }
      const limit = Math.min(concurrency - running.size, Math.floor(allowance.jobs))
      wanted = false
      const jobs = await claim(limit)
      // A full claim may have left more behind.
      if (jobs.length === limit) wanted = true
      allowance = { ...allowance, jobs: allowance.jobs - jobs.length }
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
      await settleWithin(graceMs, running, stop)
    },
  }
}

/** How many jobs may begin, a fraction included, and when that was so. */
interface Allowance {
  readonly jobs: number
  readonly atMs: number
}

/** The allowance at a later moment; a second's jobs at most are saved up. */
const refill = ({ jobs, atMs }: Allowance, perSecond: number, nowMs: number): Allowance => ({
  jobs: Math.min(perSecond, jobs + ((nowMs - atMs) / 1000) * perSecond),
  atMs: nowMs,
})

/** Waits for the tasks; after `graceMs` `stop` is aborted, which ends them. */
async function settleWithin(graceMs: number, tasks: Iterable<Promise<void>>, stop: AbortController): Promise<void> {
  const grace = new AbortController()
  const settled = Promise.all(tasks).finally(() => grace.abort())
  await Promise.race([settled, wait(graceMs, undefined, { signal: grace.signal }).catch(() => undefined)])
  stop.abort()
  await settled
}
