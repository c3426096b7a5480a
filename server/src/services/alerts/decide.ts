import type { Rule } from './rules.ts'

/** What is known of one alert. Times are in milliseconds since 1970. */
export interface AlertState {
  readonly phase: 'good' | 'turning bad' | 'bad' | 'turning good'
  /** Since when the phase lasts. */
  readonly sinceMs: number
  /** When the alert began; null where it is good. */
  readonly beganMs: number | null
  /** When the team was told last that it is bad; null where it is good. */
  readonly remindedMs: number | null
  /** Null where it is endless. */
  readonly value: number | null
  readonly detail: string | null
}

/** What the team is told. */
export type NoticeKind = 'fired' | 'still' | 'resolved'

/** A value that was read. */
export interface Reading {
  /** What of the rule it is about; empty where there is but one. */
  readonly subject: string
  readonly value: number
  /** What it was read of, for a person. */
  readonly detail: string | null
}

/** Whether the alert has begun and not ended. */
export const isFiring = ({ phase }: Pick<AlertState, 'phase'>): boolean => phase === 'bad' || phase === 'turning good'

/**
 * Decides how an alert goes on: it begins once a value was bad for as long as the rule says, and ends once it was good for as
 * long. Between both limits nothing changes.
 */
export function decide(
  rule: Rule,
  before: AlertState | undefined,
  { value, detail }: Omit<Reading, 'subject'>,
  nowMs: number,
  repeatMs: number,
): { readonly state: AlertState; readonly notice: NoticeKind | null } {
  const known = before ?? { phase: 'good', sinceMs: nowMs, beganMs: null, remindedMs: null }
  const read = { value: Number.isFinite(value) ? value : null, detail }
  const isBad = rule.bad === 'above' ? value >= rule.begins : value <= rule.begins
  const isGood = rule.bad === 'above' ? value <= rule.ends : value >= rule.ends
  const lasts = nowMs - known.sinceMs >= rule.forMs
  const stays = { state: { ...known, ...read }, notice: null }
  const turns = (phase: AlertState['phase']) => ({ state: { ...known, ...read, phase, sinceMs: nowMs }, notice: null })
  switch (known.phase) {
    case 'good':
      if (!isBad) return stays
      return rule.forMs === 0 ? fire(read, nowMs) : turns('turning bad')
    case 'turning bad':
      if (!isBad) return turns('good')
      return lasts ? fire(read, nowMs) : stays
    case 'bad':
      if (isGood) return rule.forMs === 0 ? resolve(read, nowMs) : turns('turning good')
      return remind({ ...known, ...read }, nowMs, repeatMs)
    case 'turning good':
      if (!isGood) return turns('bad')
      return lasts ? resolve(read, nowMs) : stays
  }
}

type Read = Pick<AlertState, 'value' | 'detail'>

const fire = (read: Read, nowMs: number) => ({
  state: { ...read, phase: 'bad', sinceMs: nowMs, beganMs: nowMs, remindedMs: nowMs } as const,
  notice: 'fired' as const,
})

const resolve = (read: Read, nowMs: number) => ({
  state: { ...read, phase: 'good', sinceMs: nowMs, beganMs: null, remindedMs: null } as const,
  notice: 'resolved' as const,
})

function remind(state: AlertState, nowMs: number, repeatMs: number) {
  if (nowMs - (state.remindedMs ?? nowMs) < repeatMs) return { state, notice: null }
  return { state: { ...state, remindedMs: nowMs }, notice: 'still' as const }
}
