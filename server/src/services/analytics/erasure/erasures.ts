import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from '../../../engines/postgres/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import type { Log } from '../../../ground/model/log.ts'
import type { RowTimes } from '../../../ground/privacy/consent.ts'
import { inGroups } from '../../../ground/privacy/person.ts'
import type { Forget } from '../../../ground/privacy/withdrawal.ts'
import type { Consents, Decisions } from '../consent/consent.ts'
import { forgottenBefore } from '../consent/decision.ts'
import {
  doneStatement,
  type ErasureRow,
  failedStatement,
  leaseStatement,
  progressStatement,
  selectErasuresStatement,
} from './store.ts'

export interface ErasuresDeps {
  readonly sql: Sql
  readonly consents: Pick<Consents, 'decisions'>
  /** In their order. */
  readonly forget: readonly Forget[]
  /** Why what is kept of these ids must stay for now; null where it may go. */
  readonly reasonToWait: (distinctIds: readonly string[]) => Promise<string | null>
  /** Milliseconds until what passed the gate just before a withdrawal is stored: then the tables are looked at once more. */
  readonly settleMs: number
  readonly now: () => Date
  readonly log: Log
}

/** The removal of what was stored of people who withdrew their consent. */
export interface Erasures {
  /** Looks for work now. */
  wake(): void
  /** The latest, with their progress. */
  list(limit: number): Promise<readonly ErasureRow[]>
  /** Begins; what an earlier process left is taken up when its lease has ended. */
  start(): void
  close(): Promise<void>
}

/** An erasure asked for by SQL begins within so long. */
const pollMs = 5000
/** Withdrawals that are worked off at once: each rewrites parts of the tables. */
const atOnce = 200
const leaseMs = 120_000

/** Erasures in PostgreSQL, worked off one after another by any of the processes. */
export function createErasures(deps: ErasuresDeps): Erasures {
  const { sql: database, consents, forget: steps, reasonToWait, settleMs, now, log } = deps
  const closing = new AbortController()
  let wakeUp = (): void => undefined
  let running: Promise<void> | null = null

  /** One step for some visitors, by what they have decided by now: who consented again keeps what came since. */
  async function perform(step: Forget, distinctIds: readonly string[]): Promise<void> {
    const decisions = await consents.decisions(database, distinctIds)
    for (const { ids, before } of byMoment(distinctIds, decisions, now().getTime()))
      for (const some of inGroups(ids)) await step(some, before)
  }

  async function erase(rows: readonly ErasureRow[]): Promise<void> {
    const ids = rows.map(({ id }) => id)
    const distinctIds = [...new Set(rows.flatMap(({ distinct_ids }) => distinct_ids))]
    let done = 0
    for (const pass of ['first', 'again'] as const) {
      if (pass === 'again') await delay(settleMs, undefined, { signal: closing.signal, ref: false })
      for (const step of steps) {
        closing.signal.throwIfAborted()
        await perform(step, distinctIds)
        done += 1
        await database.query(progressStatement(ids, done, leaseMs))
      }
    }
    await database.query(doneStatement(ids))
  }

  /** Those that may begin; the others wait until their lease ends, with the reason. */
  async function withoutWaiting(rows: readonly ErasureRow[]): Promise<readonly ErasureRow[]> {
    const ready: ErasureRow[] = []
    for (const row of rows) {
      const reason = await reasonToWait(row.distinct_ids)
      if (reason === null) ready.push(row)
      else await database.query(failedStatement([row.id], reason))
    }
    return ready
  }

  async function workOff(): Promise<void> {
    while (!closing.signal.aborted) {
      const { rows } = await database.query<ErasureRow>(leaseStatement(atOnce, steps.length * 2, leaseMs))
      if (rows.length === 0) return
      try {
        const ready = await withoutWaiting(rows)
        if (ready.length > 0) await erase(ready)
      } catch (error) {
        if (closing.signal.aborted) return
        log.warn({ err: error }, 'analytics: what was stored of a person could not be removed yet')
        const ids = rows.map(({ id }) => id)
        await database.query(failedStatement(ids, messageOf(error)))
      }
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await workOff().catch((error: unknown) => log.warn({ err: error }, 'analytics: erasures could not be read yet'))
      await new Promise<void>((resolve) => {
        wakeUp = resolve
        setTimeout(resolve, pollMs).unref()
      })
    }
  }

  return {
    wake: () => wakeUp(),
    list: async (limit) => (await database.query<ErasureRow>(selectErasuresStatement(limit))).rows,
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

interface Moment {
  readonly ids: string[]
  readonly before: RowTimes
}

/** Ids together of which what arrived, or happened, before one moment is removed. */
function byMoment(distinctIds: readonly string[], decisions: Decisions, nowMs: number): Iterable<Moment> {
  const moments = new Map<string, Moment>()
  for (const id of distinctIds) {
    const before = forgottenBefore(decisions.get(id), nowMs)
    const name = JSON.stringify(before)
    const moment = moments.get(name) ?? { ids: [], before }
    moment.ids.push(id)
    moments.set(name, moment)
  }
  return moments.values()
}
