import type { EngineHealth } from '../ground/model/health.ts'
import type { FromWorker } from './messages.ts'

/** What the main thread knows of the thread that reads row changes. */
export interface WorkerState {
  /** As the thread said last, or as its end left it. */
  readonly health: EngineHealth
  readonly behindBytes: number
  /** Rows refused in the running thread. */
  readonly refusedRows: number
  /** Rows refused in threads that have ended. */
  readonly refusedBefore: number
  /** When the thread was started, or last heard of, in milliseconds. */
  readonly heardAtMs: number
  /** Before a thread that ends is started again. */
  readonly pauseMs: number
}

export type WorkerEvent =
  | { readonly kind: 'started'; readonly nowMs: number }
  | { readonly kind: 'heard'; readonly report: Extract<FromWorker, { kind: 'health' }>; readonly nowMs: number }
  | { readonly kind: 'ended'; readonly problem: string }

const firstPauseMs = 100
const longestPauseMs = 10_000
/** A thread may take this long to start, or be this busy, whatever the setting. */
const shortestSilenceMs = 5_000

export const initialState: WorkerState = {
  health: { name: 'row changes', state: 'starting', detail: 'Starting.', pid: null },
  behindBytes: 0,
  refusedRows: 0,
  refusedBefore: 0,
  heardAtMs: 0,
  pauseMs: firstPauseMs,
}

export function next(state: WorkerState, event: WorkerEvent): WorkerState {
  switch (event.kind) {
    case 'started':
      return { ...state, heardAtMs: event.nowMs }
    case 'heard': {
      const { health, behindBytes, refusedRows } = event.report
      const pauseMs = health.state === 'up' ? firstPauseMs : state.pauseMs
      return { ...state, health, behindBytes, refusedRows, pauseMs, heardAtMs: event.nowMs }
    }
    case 'ended': {
      const detail = `The thread that reads row changes ended and is started again. ${event.problem}`.trim()
      return {
        ...state,
        health: { ...initialState.health, state: 'down', detail },
        refusedRows: 0,
        refusedBefore: state.refusedBefore + state.refusedRows,
        pauseMs: Math.min(state.pauseMs * 2, longestPauseMs),
      }
    }
    default:
      return event satisfies never
  }
}

/**
 * The health of row changes: what the thread said last, and `down` when it says nothing for `stuckMs`, as one does whose
 * event loop hangs.
 */
export function describeHealth({ health, heardAtMs }: WorkerState, nowMs: number, stuckMs: number): EngineHealth {
  const silentMs = nowMs - heardAtMs
  if (health.state === 'down' || health.state === 'off' || silentMs <= Math.max(stuckMs, shortestSilenceMs))
    return health
  const seconds = Math.round(silentMs / 1000)
  const detail = `The thread that reads row changes has said nothing for ${seconds} s. Changes wait in the log; restart Clew.`
  return { ...health, state: 'down', detail }
}
