import type { SessionRow } from '../model/session.ts'
import type { SessionSettings } from './settings.ts'

export interface SessionRules {
  readonly timeboxSeconds: number | null
  readonly inactivityTimeoutSeconds: number | null
  readonly allowLowAalSeconds: number | null
}

export const sessionRulesOf = (settings: SessionSettings): SessionRules => ({
  timeboxSeconds: settings.sessionTimeboxSeconds,
  inactivityTimeoutSeconds: settings.sessionInactivityTimeoutSeconds,
  allowLowAalSeconds: settings.sessionAllowLowAalSeconds,
})

/** The facts that decide whether a session is valid. */
export interface SessionFacts {
  readonly session: SessionRow
  /** When its present refresh token was issued, where that is known. */
  readonly tokenAt: Date | null
  /** Whether its user could do better than the first level. */
  readonly hasVerifiedFactor: boolean
  readonly now: Date
}

export type SessionEnd = 'Session Expired' | 'Session Expired (Inactivity)' | typeof lowAal

const lowAal = 'Session Expired (Low AAL: User Needs MFA Verification)'

/** Why a session is over (auth §8, validity rules); null while it is good. */
export function findSessionEnd(
  { session, tokenAt, hasVerifiedFactor, now }: SessionFacts,
  rules: SessionRules,
): SessionEnd | null {
  const after = (from: Date, seconds: number | null): boolean =>
    seconds !== null && now.getTime() > from.getTime() + seconds * 1000
  if (session.notAfter !== null && now > session.notAfter) return 'Session Expired'
  if (after(session.createdAt, rules.timeboxSeconds)) return 'Session Expired'
  if (after(lastRefreshOf(session, tokenAt), rules.inactivityTimeoutSeconds)) return 'Session Expired (Inactivity)'
  const isLow = hasVerifiedFactor && session.aal === 'aal1'
  return isLow && after(session.createdAt, rules.allowLowAalSeconds) ? lowAal : null
}

/** When a session was last active. */
export function lastRefreshOf(session: SessionRow, tokenAt: Date | null): Date {
  if (session.refreshedAt !== null) return session.refreshedAt
  return tokenAt !== null && tokenAt > session.createdAt ? tokenAt : session.createdAt
}

/**
 * A session of the same user and tag that was active later, where a user may have one of a tag only (auth §8, row 9).
 * A tag that is not among the known ones counts as the first of them.
 */
export function findNewerSession(
  session: SessionRow,
  others: readonly SessionRow[],
  context: Omit<SessionFacts, 'session'> & { readonly tags: readonly string[]; readonly rules: SessionRules },
): SessionRow | undefined {
  const { tags, rules, tokenAt, ...facts } = context
  const tagOf = ({ tag }: SessionRow): string => (tag !== null && tags.includes(tag) ? tag : (tags[0] ?? ''))
  const last = lastRefreshOf(session, tokenAt)
  return others.find(
    (other) =>
      other.id !== session.id &&
      tagOf(other) === tagOf(session) &&
      findSessionEnd({ ...facts, session: other, tokenAt: null }, rules) === null &&
      lastRefreshOf(other, null) > last,
  )
}
