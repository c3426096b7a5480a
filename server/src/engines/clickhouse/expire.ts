import type { Log } from '../../ground/model/log.ts'
import type { SqlFragment } from '../../ground/sql/sql.ts'
import type { ClickHouse } from './clickhouse.ts'
import { deleteRows } from './rewrite.ts'

/** How long rows of a table are kept whose projections a merge does not cut with it. */
export interface Lifetime {
  readonly table: string
  readonly days: number
  /** Rows from before an instant. */
  readonly isBefore: (instant: Date) => SqlFragment
}

export interface ExpiryDeps {
  readonly clickhouse: Pick<ClickHouse, 'query' | 'command'>
  readonly lifetimes: readonly Lifetime[]
  readonly now: () => Date
  readonly log: Log
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * Deletes what is past its lifetime, from projections as well: a lifetime of the table itself (`ttl`) would leave it there
 * until the last row of its part is past it. Days go as a whole, so that parts are written anew once a day, however often this is
 * called. Several processes may do so at once: a second deletion finds nothing to write.
 */
export async function expireRows(
  { clickhouse, lifetimes, now }: Omit<ExpiryDeps, 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const todayMs = Math.floor(now().getTime() / dayMs) * dayMs
  for (const { table, days, isBefore } of lifetimes)
    await deleteRows(
      clickhouse,
      { table, where: isBefore(new Date(todayMs - days * dayMs)) },
      { signal, progress: async () => undefined },
    )
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
