import type { EngineHealth } from '../../ground/model/health.ts'

/** What waits between "durable" and "stored". */
export interface SpoolBacklog {
  readonly bytes: number
  readonly limitBytes: number
  /** How long the oldest waiting record has waited, at most; 0 when nothing waits. */
  readonly lagMs: number
  /** Why the batch under way is being tried again; null when all is well. */
  readonly trouble: string | null
  /** Bytes since the start that were no record and were left out. */
  readonly damagedBytes: number
}

/** What is known of a spool when somebody asks how it is. */
export interface SpoolCondition extends SpoolBacklog {
  /** The last append found no room. */
  readonly isFull: boolean
  /** How long something has waited without anything being stored. */
  readonly idleMs: number
  /** How long that may be. */
  readonly stuckMs: number
  /** Why nothing can be written; null when it can. */
  readonly unwritable: string | null
}

const mib = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MiB`
const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`

/** Says how storing goes, and what to do where it does not. */
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
