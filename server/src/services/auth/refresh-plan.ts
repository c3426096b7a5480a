import type { RefreshTokenRow, SessionRow } from './store/sessions.ts'

export interface RefreshFacts {
  readonly used: RefreshTokenRow
  /** The session's newest token that is not revoked. */
  readonly active: RefreshTokenRow | null
  readonly session: SessionRow
  readonly now: Date
}

export interface RefreshRules {
  readonly reuseIntervalSeconds: number
  readonly rotation: boolean
  readonly timeboxSeconds: number | null
  readonly inactivityTimeoutSeconds: number | null
}

/** What becomes of a refresh (contract §8, v1). */
export type RefreshPlan =
  /** Revoke the used token and issue its child. */
  | { readonly kind: 'swap' }
  /** Several callers hold the same token, or the answer with its child was lost: they get that child again. */
  | { readonly kind: 'repeat'; readonly token: string }
  /** Used again shortly after: one more child. */
  | { readonly kind: 'branch' }
  /** Stolen, or hopelessly late: refuse, and with rotation end every token of the session. */
  | { readonly kind: 'reused'; readonly endSession: boolean }
  | { readonly kind: 'expired'; readonly message: string }

/** Decides; the caller holds the session's lock, so that the facts stay true until it has acted. */
export function planRefresh(facts: RefreshFacts, rules: RefreshRules): RefreshPlan {
  const { used, active, session, now } = facts
  const expired = planExpiry(session, used, now, rules)
  if (expired !== null) return expired
  if (!used.revoked) return { kind: 'swap' }
  if (active !== null && active.parent === used.token) return { kind: 'repeat', token: active.token }
  const reusableUntil = used.updatedAt.getTime() + rules.reuseIntervalSeconds * 1000
  if (active !== null && now.getTime() <= reusableUntil) return { kind: 'branch' }
  return { kind: 'reused', endSession: rules.rotation }
}

function planExpiry(
  session: SessionRow,
  used: RefreshTokenRow,
  now: Date,
  rules: RefreshRules,
): Extract<RefreshPlan, { kind: 'expired' }> | null {
  const after = (from: Date, seconds: number): boolean => now.getTime() > from.getTime() + seconds * 1000
  const { timeboxSeconds, inactivityTimeoutSeconds } = rules
  if (
    (session.notAfter !== null && now > session.notAfter) ||
    (timeboxSeconds !== null && after(session.createdAt, timeboxSeconds))
  )
    return { kind: 'expired', message: 'Invalid Refresh Token: Session Expired' }
  const lastRefresh = session.refreshedAt ?? used.updatedAt
  if (inactivityTimeoutSeconds !== null && after(lastRefresh, inactivityTimeoutSeconds))
    return { kind: 'expired', message: 'Invalid Refresh Token: Session Expired (Inactivity)' }
  return null
}
