import type { RequestSummary, Statement } from '../../lib/api/schemas.ts'

/** A stretch of a request's time. */
export interface Phase {
  readonly kind: 'before' | 'sql' | 'between' | 'after'
  /** Since the request began. */
  readonly fromMs: number
  readonly durationMs: number
  /** Of the kind sql: the statement's place. */
  readonly place: number | null
}

type Timed = Pick<RequestSummary, 'at' | 'durationMs'>
type TimedStatement = Pick<Statement, 'startedAt' | 'durationMs'>

/**
 * How a request's time was spent: the stretches of its statements, and what lies before, between and after them. Beginnings
 * are kept to the millisecond, so a statement is moved where it would end after its request or begin before another ends.
 */
export function phasesOf({ at, durationMs }: Timed, statements: readonly TimedStatement[]): readonly Phase[] {
  const beganMs = Date.parse(at)
  const timed = statements
    .map((statement, place) => ({ place, ms: statement.durationMs, fromMs: Date.parse(statement.startedAt) - beganMs }))
    .toSorted((a, b) => a.fromMs - b.fromMs || a.place - b.place)
  const phases: Phase[] = []
  let reached = 0
  for (const { place, ms, fromMs } of timed) {
    const latest = Math.max(reached, durationMs - ms)
    const from = Math.min(Math.max(fromMs, reached), latest)
    const length = Math.min(ms, Math.max(0, durationMs - from))
    if (from > reached)
      phases.push({
        kind: reached === 0 ? 'before' : 'between',
        fromMs: reached,
        durationMs: from - reached,
        place: null,
      })
    phases.push({ kind: 'sql', fromMs: from, durationMs: length, place })
    reached = from + length
  }
  if (durationMs > reached)
    phases.push({
      kind: timed.length === 0 ? 'before' : 'after',
      fromMs: reached,
      durationMs: durationMs - reached,
      place: null,
    })
  return phases
}

/** The sum of each kind's stretches. */
export function sumOf(phases: readonly Phase[], kind: Phase['kind']): number {
  return phases.reduce((sum, phase) => (phase.kind === kind ? sum + phase.durationMs : sum), 0)
}
