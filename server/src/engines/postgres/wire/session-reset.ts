import { PipelinedBatch } from './pipelined-batch.ts'
import type { PooledConnection } from './pooled-connection.ts'
import { encodeQuery } from './protocol.ts'

/**
 * Last statement of a read, within its transaction: a setting that a function of the application made for the session is
 * not committed. Functions that are STABLE, as declared, leave nothing else.
 */
export const resetSettings = 'reset all'

/** Undoes all that a statement may leave in its session, except statements prepared by SQL (see `stale-plan.ts`). */
export const clearing = [
  'reset session authorization',
  resetSettings,
  'close all',
  'unlisten *',
  'select pg_catalog.pg_advisory_unlock_all()',
  'discard sequences',
  'discard temp',
].join('; ')

const clearingBytes = encodeQuery(clearing)

/**
 * Clears what a call may have left in its session, in a transaction of its own, so that deferred triggers still find the
 * settings. The caller's answer does not wait for it, and the next caller's batch is sent behind it.
 */
export function clearSession(connection: PooledConnection): void {
  const batch = new PipelinedBatch([], clearingBytes)
  connection.pipeline.add(batch)
  void batch.result.then(({ kind }) => {
    if (kind === 'failed') connection.broken = true
  })
}
