import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from '../../../engines/postgres/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import type { Log } from '../../../ground/model/log.ts'
import type { MaskedStore } from '../../../ground/privacy/masks.ts'
import {
  doneStatement,
  failedStatement,
  type JobRow,
  leaseStatement,
  progressStatement,
  selectJobsStatement,
  selectLatestStatement,
  stepDoneStatement,
} from './store.ts'

export interface JobsDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly stores: readonly MaskedStore[]
  /** Milliseconds until what was being stored when a mask was set is stored: then the stores are looked at once more. */
  readonly settleMs: number
  /** Milliseconds after which another process takes up a job of which nothing was heard. */
  readonly leaseMs: number
  readonly now: () => Date
  readonly log: Log
}

/** Masks what was stored before. */
export interface Jobs {
  /** Looks for work now. */
  wake(): void
  list(limit: number): Promise<readonly JobRow[]>
  /** The latest job, `0` where there was none; null while one of them has work to do. */
  maskedTo(): Promise<string | null>
  /** Begins; what an earlier process left is taken up when its lease has ended. */
  start(): void
  close(): Promise<void>
}

/** Work of another process, or of one that is gone, is noticed within so long. */
const pollMs = 5000
const passes = [1, 2]

/** Jobs in PostgreSQL, worked off one after another by any of the processes. */
export function createJobs({ sql, stores, settleMs, leaseMs, now, log }: JobsDeps): Jobs {
  const closing = new AbortController()
  const { signal } = closing
  let wakeUp = (): void => undefined
  let running: Promise<void> | null = null

  async function work({ id, list, done }: JobRow): Promise<void> {
    for (const pass of passes) {
      if (pass > 1) await delay(settleMs, undefined, { signal, ref: false })
      for (const store of stores) {
        if (done.some((step) => step.pass === pass && step.store === store.name)) continue
        signal.throwIfAborted()
        const progress = async (part: number): Promise<void> => {
          await sql.query(progressStatement(id, store.name, part, leaseMs))
        }
        await progress(0)
        const rows = await store.mask(list, { signal, progress })
        await sql.query(stepDoneStatement(id, { pass, store: store.name, rows, endedAt: now().toISOString() }))
      }
    }
    await sql.query(doneStatement(id))
  }

  async function workOff(): Promise<void> {
    while (!signal.aborted) {
      const [job] = (await sql.query<JobRow>(leaseStatement(stores.length * passes.length, leaseMs))).rows
      if (job === undefined) return
      try {
        await work(job)
      } catch (error) {
        if (signal.aborted) return
        log.warn({ err: error }, 'privacy: what was stored before could not be masked yet')
        await sql.query(failedStatement(job.id, messageOf(error)))
      }
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await workOff().catch((error: unknown) => log.warn({ err: error }, 'privacy: jobs could not be read yet'))
      await new Promise<void>((resolve) => {
        wakeUp = resolve
        setTimeout(resolve, pollMs).unref()
      })
    }
  }

  return {
    wake: () => wakeUp(),
    list: async (limit) => (await sql.query<JobRow>(selectJobsStatement(limit))).rows,
    async maskedTo() {
      const [row] = (await sql.query<{ latest: string; isOpen: boolean }>(selectLatestStatement())).rows
      return row === undefined || row.isOpen ? null : row.latest
    },
    start() {
      running ??= run()
    },
    async close() {
      closing.abort()
      wakeUp()
      await running
    },
  }
}
