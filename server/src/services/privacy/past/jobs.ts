import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { Log } from '../../../ground/model/log.ts'
import type { MaskedStore } from '../../../ground/privacy/masks.ts'
import { createLeasedWork, type LeasedWork } from '../leased-work.ts'
import {
  doneStatement,
  type JobRow,
  jobTable,
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
  /** As in `LeasedWorkDeps`. */
  readonly leaseMs?: number | undefined
  readonly now: () => Date
  readonly log: Log
}

/** Masks what was stored before. */
export interface Jobs extends LeasedWork {
  list(limit: number): Promise<readonly JobRow[]>
  /** The latest job, `0` where there was none; null while one of them has work to do. */
  maskedTo(): Promise<string | null>
}

const passes = [1, 2]

/** Jobs in PostgreSQL, worked off one after another by any of the processes. */
export function createJobs({ sql, stores, settleMs, leaseMs, now, log }: JobsDeps): Jobs {
  async function work({ id, list, done }: JobRow, signal: AbortSignal): Promise<void> {
    for (const pass of passes) {
      if (pass > 1) await delay(settleMs, undefined, { signal, ref: false })
      for (const store of stores) {
        if (done.some((step) => step.pass === pass && step.store === store.name)) continue
        signal.throwIfAborted()
        const progress = async (part: number): Promise<void> => {
          await sql.query(progressStatement(id, store.name, part))
        }
        await progress(0)
        const rows = await store.mask(list, { signal, progress })
        await sql.query(stepDoneStatement(id, { pass, store: store.name, rows, endedAt: now().toISOString() }))
      }
    }
    await sql.query(doneStatement(id))
  }

  return {
    ...createLeasedWork<JobRow>({
      ...{ sql, table: jobTable, steps: stores.length * passes.length, leaseMs, work },
      failure: 'privacy: what was stored before could not be masked yet',
      log,
    }),
    list: async (limit) => (await sql.query<JobRow>(selectJobsStatement(limit))).rows,
    async maskedTo() {
      const [row] = (await sql.query<{ latest: string; isOpen: boolean }>(selectLatestStatement())).rows
      return row === undefined || row.isOpen ? null : row.latest
    },
  }
}
