import type { EngineHealth } from '../../ground/model/health.ts'

/** Records that are durable and not stored. */
export interface SpoolBacklog {
  readonly bytes: number
  readonly limitBytes: number
  /** The age of the oldest one, rounded up to a tenth of a second; 0 when nothing waits. */
  readonly lagMs: number
  /** Why the batch in flight is being tried again; null when it is not. */
  readonly trouble: string | null
  /** Bytes since the start that were no record and were left out. */
  readonly damagedBytes: number
}

/** What a spool's health is concluded from. */
export interface SpoolCondition extends SpoolBacklog {
  /** The last append found no room. */
  readonly isFull: boolean
  /** How long records have waited without any being stored. */
  readonly idleMs: number
  /** The idle time from which the spool is down. */
  readonly stuckMs: number
  /** Why nothing can be written; null when it can. */
  readonly unwritable: string | null
}

const mib = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MiB`
const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`

/** The health of a spool: `degraded` while a batch is tried again, `down` when full, unwritable, or idle for `stuckMs`. */
export function describeHealth(content: string, folder: string, condition: SpoolCondition): EngineHealth {
  const { bytes, limitBytes, lagMs, trouble, isFull, idleMs, stuckMs, unwritable } = condition
  const found = (state: EngineHealth['state'], detail: string): EngineHealth => ({
    name: `storing ${content}`,
    state,
    detail,
    pid: null,
  })
  const waits = `${mib(bytes)} of ${mib(limitBytes)} wait`
  if (unwritable !== null)
    return found(
      'down',
      `Nothing can be written to ${folder}: ${unwritable}. Make room on its disk, or make it writable.`,
    )
  const why = trouble === null ? '' : `: ${trouble}`
  if (isFull)
    return found('down', `Too much waits, nothing more is taken (${waits})${why}. Look at the health of the engines.`)
  if (bytes > 0 && idleMs > stuckMs)
    return found(
      'down',
      `Nothing was stored for ${seconds(idleMs)}${why}. It is kept (${waits}); look at the health of the engines.`,
    )
  if (trouble !== null) return found('degraded', `Tried again${why}. It is kept (${waits}).`)
  return found('up', bytes === 0 ? 'Everything is stored.' : `${waits}, the oldest for ${seconds(lagMs)}.`)
}
