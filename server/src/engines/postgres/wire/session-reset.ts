import type { Lane } from './connection-pool.ts'
import { Flight } from './pipelined-batch.ts'
import { encodeQuery } from './protocol.ts'

/**
 * Ends the flight of a read, within its transaction: what a function of the application has set for the session is not
 * committed. Nothing else can be left by functions that are STABLE, as they say they are.
 */
export const resetSettings = 'reset all'

/** Whatever a statement may leave in its session; names prepared by SQL show when they are in the way (`stale-plan.ts`). */
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
 * Clears what a call may have left in its session. It is a transaction of its own, so that deferred triggers still find
 * the settings; the caller's answer does not wait for it, and the next caller's statement flies behind it.
 */
export function clearSession(lane: Lane): void {
  const flight = new Flight([], clearingBytes)
  lane.pipeline.add(flight)
  void flight.landed.then(({ kind }) => {
    if (kind === 'failed') lane.broken = true
  })
}
