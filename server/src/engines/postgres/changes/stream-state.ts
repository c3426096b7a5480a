import type { ChangeGap } from '../../../ground/model/change.ts'
import type { EngineHealth } from '../../../ground/model/health.ts'

type Health = Pick<EngineHealth, 'state' | 'detail'>

/** The life of a change stream: which connection it has, and what it says of itself. */
export interface StreamState {
  /** `idle` without readers; `connected` from the attempt to connect to the end of the connection. */
  readonly phase: 'idle' | 'connected' | 'pausing' | 'closed'
  readonly readers: number
  readonly health: Health
  /** When the last attempt to connect began, in milliseconds. */
  readonly connectedAt: number
  /** Before the next attempt. */
  readonly pauseMs: number
  /** The failure that was logged last, until the stream reads again. */
  readonly logged: string
  readonly lastGap: ChangeGap | null
}

export type StreamEvent =
  | { readonly kind: 'readers'; readonly count: number; readonly at: number }
  /** Connected; another process holds the slot. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'reading'; readonly slot: string; readonly lastGap: ChangeGap | null }
  /** The connection, or the attempt at one, ended; `failure` is null after the last reader left. */
  | { readonly kind: 'ended'; readonly failure: Failure | null; readonly at: number }
  | { readonly kind: 'paused'; readonly at: number }
  | { readonly kind: 'closed' }

/** Why a connection ended. `permanent`: the server does not allow logical decoding, and `reason` says what to do. */
export interface Failure {
  readonly permanent: boolean
  readonly reason: string
}

export type StreamEffect =
  | { readonly kind: 'connect' }
  /** Drop the connection; nothing that it still brings is acknowledged. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'pause'; readonly ms: number }
  | { readonly kind: 'log'; readonly line: string }
  /** Acknowledge what is settled and end the connection. */
  | { readonly kind: 'disconnect' }

export interface Step {
  readonly state: StreamState
  readonly effects: readonly StreamEffect[]
}

const firstPauseMs = 50
const longestPauseMs = 10_000
/** Health reports a gap for this long; histories always do. */
const gapIsNewsMs = 24 * 60 * 60_000
const behindIsNewsMib = 16

export const initialState: StreamState = {
  phase: 'idle',
  readers: 0,
  health: { state: 'starting', detail: 'Nobody reads row changes yet.' },
  connectedAt: 0,
  pauseMs: firstPauseMs,
  logged: '',
  lastGap: null,
}

/** The state after an event, and what to do: connects for the first reader, and again after each failure. */
export function next(state: StreamState, event: StreamEvent): Step {
  if (state.phase === 'closed') return { state, effects: [] }
  switch (event.kind) {
    case 'readers':
      return withReaders({ ...state, readers: event.count }, event.at)
    case 'waiting':
      return withHealth(state, 'up', 'Another process reads row changes; this one waits to take over.')
    case 'reading': {
      const { slot, lastGap } = event
      return withHealth({ ...state, logged: '', lastGap }, 'up', `Reads row changes from the slot ${slot}.`)
    }
    case 'ended':
      return ended(state, event.failure, event.at)
    case 'paused':
      return state.readers > 0
        ? connect(state, event.at)
        : withHealth({ ...state, phase: 'idle' }, 'starting', 'Nobody reads row changes.')
    case 'closed':
      return { state: { ...state, phase: 'closed' }, effects: [{ kind: 'disconnect' }] }
    default:
      return event satisfies never
  }
}

const connect = (state: StreamState, at: number): Step => ({
  state: { ...state, phase: 'connected', connectedAt: at },
  effects: [{ kind: 'connect' }],
})

const withHealth = (state: StreamState, health: Health['state'], detail: string): Step => ({
  state: { ...state, health: { state: health, detail } },
  effects: [],
})

function withReaders(state: StreamState, at: number): Step {
  if (state.phase === 'idle' && state.readers > 0) return connect(state, at)
  const isLast = state.phase === 'connected' && state.readers === 0
  return { state, effects: isLast ? [{ kind: 'leave' }] : [] }
}

function ended(state: StreamState, failure: Failure | null, at: number): Step {
  const lasted = at - state.connectedAt > longestPauseMs
  const pauseMs = lasted ? firstPauseMs : Math.min(state.pauseMs * 2, longestPauseMs)
  const pausing: StreamState = { ...state, phase: 'pausing', pauseMs }
  const pause: StreamEffect = { kind: 'pause', ms: pauseMs }
  if (failure === null) return { state: pausing, effects: [pause] }
  const { permanent, reason } = failure
  const health: Health = permanent
    ? { state: 'off', detail: reason }
    : { state: 'down', detail: `Row changes wait: ${reason}.` }
  const log: StreamEffect = { kind: 'log', line: `postgres: ${health.detail}` }
  return {
    state: { ...pausing, health, logged: health.detail },
    effects: state.logged === health.detail ? [pause] : [log, pause],
  }
}

/** What health adds to the state of the connection. */
export interface StreamProgress {
  /** Log that is written and not settled yet. */
  readonly behindBytes: number
  /** How long something has been handed to readers without any of it being settled; 0 when nothing is. */
  readonly stalledMs: number
  /** How long that may be. */
  readonly stuckMs: number
  readonly now: Date
}

/** The health of a stream: `down` when its readers make no progress, `degraded` for a day after changes were missed. */
export function describeHealth({ health, lastGap }: StreamState, progress: StreamProgress): Health {
  if (health.state !== 'up') return health
  const { behindBytes, stalledMs, stuckMs, now } = progress
  if (stalledMs > stuckMs)
    return {
      state: 'down',
      detail: `No row change was stored for ${Math.round(stalledMs / 1000)} s. The log is kept for them (${mib(behindBytes)} MiB); look at the health of the engines.`,
    }
  const behind = mib(behindBytes) < behindIsNewsMib ? '' : ` ${mib(behindBytes)} MiB of the log are still to be stored.`
  const detail = `${health.detail}${behind}`
  const endedAt = lastGap?.endedAt ?? null
  if (lastGap === null || endedAt === null || now.getTime() - endedAt.getTime() > gapIsNewsMs)
    return { state: 'up', detail }
  return {
    state: 'degraded',
    detail: `${detail} Changes before ${endedAt.toISOString()} are missing: ${lastGap.reason}`,
  }
}

const mib = (bytes: number): number => Math.round(bytes / 1024 ** 2)
