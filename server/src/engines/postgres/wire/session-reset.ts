import { sqlStateOf } from '../sqlstate.ts'
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
 * Sends a batch, and behind it in one write what clears its session: the server finds both when it wakes. That is a
 * transaction of its own, so that deferred triggers still find the settings. The caller's answer does not wait for it, and
 * the next caller's batch is sent behind it.
 */
export function addAndClear(connection: PooledConnection, batch: PipelinedBatch): void {
  const clear = new PipelinedBatch([], clearingBytes)
  connection.pipeline.addTogether(batch, clear)
  void clear.result.then((result) => {
    const isCleared = result.kind === 'done' || sqlStateOf(result.error) === inFailedTransaction
    if (!isCleared) connection.broken = true
  })
}

/** The transaction that the batch began has failed: its end is sent with another clearing behind it. */
const inFailedTransaction = '25P02'
