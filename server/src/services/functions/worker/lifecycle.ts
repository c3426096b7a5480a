import type { LaterMessage, UnloadReason } from '../runtime/messages.ts'
import { judge, type WorkerLimits } from './limits.ts'
import type { LogEntry } from './log-writer.ts'
import type { Usage } from './usage.ts'

/** How a worker ended. */
export type WorkerEnd =
  | { readonly kind: 'limit'; readonly reason: UnloadReason }
  | { readonly kind: 'error' }
  | { readonly kind: 'asked' }

/** Where a worker is between its start and its end (functions §6). */
export type Phase =
  | { readonly kind: 'starting' }
  | { readonly kind: 'serving' }
  /** It takes no further calls, and is unloaded when its own, and its background work, have ended. */
  | { readonly kind: 'draining'; readonly reason: UnloadReason }
  /** It was told to end, and is killed where it does not. */
  | { readonly kind: 'unloading' }
  /** It was killed, and its process has not ended yet. */
  | { readonly kind: 'killed'; readonly end: WorkerEnd }
  | { readonly kind: 'ended'; readonly end: WorkerEnd }

/** All that decides what a worker does next. Times are milliseconds of one clock that never goes back. */
export interface WorkerState {
  readonly phase: Phase
  readonly startedMs: number
  /** Whether it has listened. */
  readonly hasBooted: boolean
  /** Open calls. */
  readonly calls: number
  /** Promises given to `EdgeRuntime.waitUntil` that have not settled. */
  readonly pending: number
  /** Since when it has neither calls nor background work; null while it has. */
  readonly idleSinceMs: number | null
  /** Calls since it last had none, and the CPU time before them. */
  readonly window: { readonly calls: number; readonly cpuMsBefore: number }
  readonly usage: Usage
  /** Whether it was told that a limit is near. */
  readonly isWarned: boolean
  /** Its last words, for the error of one that does not start. */
  readonly said: readonly string[]
}

/** What befalls a worker. */
export type LifeEvent =
  /** Its process is there. */
  | { readonly kind: 'spawned' }
  | { readonly kind: 'listening' }
  | { readonly kind: 'loaded'; readonly listens: boolean }
  | { readonly kind: 'bootTimedOut' }
  | { readonly kind: 'callBegan' | 'callEnded' }
  | { readonly kind: 'pending'; readonly count: number }
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'measured'; readonly usage: Usage }
  /** It is to end when its calls have ended. */
  | { readonly kind: 'retired'; readonly reason: UnloadReason }
  /** It is to end now. */
  | { readonly kind: 'stopped'; readonly reason: UnloadReason }
  /** Its process has ended; `error` where there was none. */
  | { readonly kind: 'exited'; readonly code: number | null; readonly error: string | null }

/** What is to be done. */
export type Effect =
  | { readonly kind: 'send'; readonly message: LaterMessage }
  /** Close its standard input, whereupon it ends by itself. */
  | { readonly kind: 'hangUp' }
  /** Kill it where it has not ended after a while. */
  | { readonly kind: 'killLater' }
  | { readonly kind: 'kill' }
  | { readonly kind: 'note'; readonly entry: Pick<LogEntry, 'kind' | 'level' | 'text'> }
  | { readonly kind: 'becomeReady' }
  /** `words` say why one that never served did not. */
  | { readonly kind: 'becomeEnded'; readonly end: WorkerEnd; readonly words: string }

/** What holds for all of a worker's life, and the time of the event. */
export interface LifeContext {
  readonly limits: WorkerLimits & { readonly bootMs: number }
  readonly nowMs: number
}

interface Step {
  readonly state: WorkerState
  readonly effects: readonly Effect[]
}

/** A worker whose process is being made. */
export const startingWorker = (nowMs: number): WorkerState => ({
  phase: { kind: 'starting' },
  startedMs: nowMs,
  hasBooted: false,
  calls: 0,
  pending: 0,
  idleSinceMs: nowMs,
  window: { calls: 0, cpuMsBefore: 0 },
  usage: { memoryBytes: 0, cpuMs: 0, isStopped: false },
  isWarned: false,
  said: [],
})

/** Whether a worker is to run on: it has neither been told to end, nor been killed, nor ended. */
const isRunning = ({ phase: { kind } }: WorkerState): boolean =>
  kind === 'starting' || kind === 'serving' || kind === 'draining'

/** Whether it takes calls. */
export const takesCalls = ({ phase: { kind } }: WorkerState): boolean => kind === 'starting' || kind === 'serving'

const linesKept = 20
const none: readonly Effect[] = []

/** The state after an event, and what is to be done. It does nothing itself. */
export function transition(state: WorkerState, event: LifeEvent, context: LifeContext): Step {
  if (state.phase.kind === 'ended') return { state: counted(state, event), effects: none }
  switch (event.kind) {
    case 'spawned':
      // It may have been told to end before there was a process to tell.
      return isRunning(state) ? unchanged(state) : { state, effects: [{ kind: 'kill' }] }
    case 'listening':
      return listening(state, context)
    case 'loaded':
      return event.listens ? unchanged(state) : killed(remember(state, noServer), { kind: 'error' })
    case 'bootTimedOut':
      return state.hasBooted ? unchanged(state) : killed(remember(state, tooSlow(context)), { kind: 'error' })
    case 'callBegan':
    case 'callEnded':
    case 'pending':
      return settled(counted(state, event), context)
    case 'said':
      return unchanged(remember(state, event.text))
    case 'measured':
      return isRunning(state) ? measured({ ...state, usage: event.usage }, context) : unchanged(state)
    case 'retired':
      return retired(state, event.reason, context)
    case 'stopped':
      return isRunning(state) ? unloaded(state, event.reason) : unchanged(state)
    case 'exited':
      return exited(event.error === null ? state : remember(state, event.error), event.code)
  }
}

const noServer = 'No server was registered: call Deno.serve, or export a default object with fetch.'
const tooSlow = ({ limits }: LifeContext): string => `The function did not serve within ${limits.bootMs / 1000} s.`

const unchanged = (state: WorkerState): Step => ({ state, effects: none })

const remember = (state: WorkerState, text: string): WorkerState => ({
  ...state,
  said: [...state.said, text].slice(-linesKept),
})

function counted(state: WorkerState, event: LifeEvent): WorkerState {
  const { calls, window, usage } = state
  if (event.kind === 'callEnded') return withCalls(state, calls - 1, window)
  if (event.kind === 'pending') return { ...state, pending: event.count }
  if (event.kind !== 'callBegan') return state
  const before = calls === 0 ? { calls: 0, cpuMsBefore: usage.cpuMs } : window
  return withCalls(state, calls + 1, { calls: before.calls + 1, cpuMsBefore: before.cpuMsBefore })
}

/** A copy member by member, which takes a fraction of what `...` takes: each call makes two. */
const withCalls = (state: WorkerState, calls: number, window: WorkerState['window']): WorkerState => ({
  phase: state.phase,
  startedMs: state.startedMs,
  hasBooted: state.hasBooted,
  calls,
  pending: state.pending,
  idleSinceMs: state.idleSinceMs,
  window,
  usage: state.usage,
  isWarned: state.isWarned,
  said: state.said,
})

/** Notes whether it is idle, and ends it where it was to end then. */
function settled(state: WorkerState, { nowMs }: LifeContext): Step {
  // Each call comes here twice: its state is copied no more than it must be.
  if (state.calls > 0 || state.pending > 0)
    return unchanged(state.idleSinceMs === null ? state : { ...state, idleSinceMs: null })
  const idle = { ...state, idleSinceMs: state.idleSinceMs ?? nowMs }
  return idle.phase.kind === 'draining' ? unloaded(idle, idle.phase.reason) : unchanged(idle)
}

function listening(state: WorkerState, { nowMs }: LifeContext): Step {
  // The function may write this event as often as it likes.
  if (state.hasBooted || !isRunning(state)) return unchanged(state)
  const phase: Phase = state.phase.kind === 'starting' ? { kind: 'serving' } : state.phase
  const text = `Booted in ${Math.round(nowMs - state.startedMs)} ms`
  return {
    state: { ...state, phase, hasBooted: true },
    effects: [{ kind: 'becomeReady' }, { kind: 'note', entry: { kind: 'boot', level: 'info', text } }],
  }
}

function retired(state: WorkerState, reason: UnloadReason, context: LifeContext): Step {
  if (!takesCalls(state)) return unchanged(state)
  const draining: WorkerState = { ...state, phase: { kind: 'draining', reason } }
  if (state.idleSinceMs !== null) return settled(draining, context)
  return { state: draining, effects: [{ kind: 'send', message: { drain: true } }] }
}

const unloaded = (state: WorkerState, reason: UnloadReason): Step => ({
  state: { ...state, phase: { kind: 'unloading' } },
  effects: [{ kind: 'send', message: { unload: reason } }, { kind: 'hangUp' }, { kind: 'killLater' }],
})

/** One that was told to end before has the end that it was told. */
function killed(state: WorkerState, end: WorkerEnd): Step {
  const phase: Phase = isRunning(state) ? { kind: 'killed', end } : state.phase
  return { state: { ...state, phase }, effects: [{ kind: 'kill' }] }
}

function measured(state: WorkerState, context: LifeContext): Step {
  const { usage, window, startedMs, isWarned } = state
  const { limits, nowMs } = context
  if (usage.isStopped) return killed(remember(state, 'The process was stopped by a signal.'), { kind: 'error' })
  const ageMs = nowMs - startedMs
  const verdict = judge(limits, { usage, ageMs, ...window, calls: Math.max(1, window.calls) })
  if (verdict.kind === 'exceeded') return killed(state, { kind: 'limit', reason: verdict.reason })
  const isWarning = verdict.kind === 'warn' && !isWarned
  const effects: readonly Effect[] = isWarning ? [{ kind: 'send', message: { unload: verdict.reason } }] : none
  const warned = { ...state, isWarned: isWarned || isWarning }
  if (ageMs <= limits.wallMs / 2) return { state: warned, effects }
  const after = retired(warned, 'early_drop', context)
  return { state: after.state, effects: [...effects, ...after.effects] }
}

function exited(state: WorkerState, code: number | null): Step {
  const { hasBooted, usage, said } = state
  const end = endOf(state, code)
  const words = said.join('\n')
  const used = `${Math.round(usage.cpuMs)} ms of CPU, ${Math.round(usage.memoryBytes / 1024 ** 2)} MiB`
  const why =
    end.kind === 'limit' ? `the limit of ${limitNames[end.reason]}` : end.kind === 'asked' ? 'as asked' : 'an error'
  const level = end.kind === 'asked' ? 'info' : 'error'
  const isBootFailure = !hasBooted && end.kind !== 'asked'
  return {
    state: { ...state, phase: { kind: 'ended', end } },
    effects: [
      { kind: 'note', entry: { kind: 'shutdown', level, text: `Ended: ${why}; used ${used}` } },
      ...(isBootFailure
        ? [{ kind: 'note', entry: { kind: 'boot_failure', level: 'error', text: words } } as const]
        : []),
      { kind: 'becomeEnded', end, words },
    ],
  }
}

function endOf({ phase, said }: WorkerState, code: number | null): WorkerEnd {
  if (phase.kind === 'unloading') return { kind: 'asked' }
  if (phase.kind === 'killed') return phase.end
  // V8 ends the process itself when the heap is full, with these words.
  const isHeapFull = code !== 0 && said.some((text) => /heap limit|out of memory/i.test(text))
  return isHeapFull ? { kind: 'limit', reason: 'memory' } : { kind: 'error' }
}

const limitNames: Readonly<Record<UnloadReason, string>> = {
  cpu: 'CPU time',
  memory: 'memory',
  wall_clock: 'wall clock time',
  early_drop: 'wall clock time',
  termination: 'the server',
}
