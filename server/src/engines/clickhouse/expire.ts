import { type KeptLonger, mayGo } from '../../ground/model/kept-longer.ts'
import type { Log } from '../../ground/model/log.ts'
import { compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { identifier, type SqlFragment, sql } from '../../ground/sql/sql.ts'
import type { ClickHouse } from './clickhouse.ts'
import { deleteRows } from './rewrite.ts'

/** How long rows of a table are kept. */
export interface Lifetime {
  readonly table: string
  readonly days: number
  /** Rows from before an instant. */
  readonly isBefore: (instant: Date) => SqlFragment
}

export interface ExpiryDeps {
  readonly clickhouse: Pick<ClickHouse, 'query' | 'command'>
  readonly lifetimes: readonly Lifetime[]
  readonly keptLonger: KeptLonger
  readonly now: () => Date
  readonly log: Log
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * Deletes what is past its lifetime and not kept longer, from projections as well: a lifetime of the table itself (`ttl`)
 * knows of no hold, and would leave rows in projections until the last row of their part is past it. Days go as a whole, so that parts are written anew once a day, however often this is
 * called. Several processes may do so at once: a second deletion finds nothing to write.
 */
export async function expireRows(
  { clickhouse, lifetimes, keptLonger, now }: Omit<ExpiryDeps, 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const todayMs = Math.floor(now().getTime() / dayMs) * dayMs
  for (const { table, days, isBefore } of lifetimes) {
    signal.throwIfAborted()
    const isPast = isBefore(new Date(todayMs - days * dayMs))
    const any = compileClickHouse(sql`select 1 from ${identifier(table)} where ${isPast} limit 1`)
    if ((await clickhouse.query(any)).length === 0) continue
    const where = sql`${isPast} and ${mayGo(await keptLonger.condition(table))}`
    await deleteRows(clickhouse, { table, where }, { signal, progress: async () => undefined })
  }
}

/** Calls `expireRows` now and every hour. @returns stops it; what the engine has begun goes on there */
export function startExpiry(deps: ExpiryDeps): () => Promise<void> {
  const closing = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const run = (): void => {
    running = running
      .then(() => expireRows(deps, closing.signal))
      .catch((error: unknown) => {
        if (!closing.signal.aborted) deps.log.warn({ err: error }, 'Rows past their lifetime could not be deleted yet')
      })
  }
  run()
  const timer = setInterval(run, hourMs).unref()
  return async () => {
    clearInterval(timer)
    closing.abort()
    await running
  }
}
