import type { UnloadReason } from '../runtime/messages.ts'
import type { Usage } from './usage.ts'

/** What a worker may use. */
export interface WorkerLimits {
  readonly memoryMib: number
  /** CPU time while calls are open, for each of them; 0 for no limit. */
  readonly cpuMs: number
  readonly wallMs: number
}

/** What a worker has used by now. */
export interface MeasuredWorker {
  readonly usage: Usage
  /** CPU time that it had used when its calls began. */
  readonly cpuMsBefore: number
  /** Calls that were open since then; at least one. */
  readonly calls: number
  /** Since its start. */
  readonly ageMs: number
}

/** What is to be done with a worker: nothing, tell it that it will end, or end it. */
export type Verdict =
  | { readonly kind: 'within' }
  | { readonly kind: 'warn' | 'exceeded'; readonly reason: Extract<UnloadReason, 'cpu' | 'memory' | 'wall_clock'> }

const warnedShare = 0.9

/** Holds a worker against its limits (functions §6): at 90 % of one it is warned. */
export function judge(limits: WorkerLimits, { usage, cpuMsBefore, calls, ageMs }: MeasuredWorker): Verdict {
  const shares = [
    ['memory', usage.memoryBytes / (limits.memoryMib * 1024 ** 2)],
    ['cpu', limits.cpuMs === 0 ? 0 : (usage.cpuMs - cpuMsBefore) / (limits.cpuMs * calls)],
    ['wall_clock', ageMs / limits.wallMs],
  ] as const
  for (const [reason, share] of shares) if (share > 1) return { kind: 'exceeded', reason }
  for (const [reason, share] of shares) if (share > warnedShare) return { kind: 'warn', reason }
  return { kind: 'within' }
}
