import type { RefreshTokenRow, SignedState } from '../model/session.ts'

export interface RefreshFacts {
  readonly used: RefreshTokenRow
  /** The session's newest token that is not revoked. */
  readonly active: RefreshTokenRow | null
  /** The session's newest token, revoked or not. */
  readonly newest: RefreshTokenRow
  /** Set when the session has gone over to signed tokens since. */
  readonly signed: SignedState | null
  readonly now: Date
}

export interface RefreshRules {
  readonly reuseIntervalSeconds: number
  /** Whether a token that is used again late ends its session. */
  readonly rotation: boolean
  /** Whether any token that was once good stays good. */
  readonly allowReuse: boolean
}

/** The decision on a refresh (auth §8). */
export type RefreshPlan =
  /** Revoke the used token and issue its child. */
  | { readonly kind: 'swap' }
  /** Several callers hold one token, or the answer with its child was lost: they get that child again. */
  | { readonly kind: 'repeat'; readonly token: string; readonly cause: ReuseCause }
  /** Used again shortly after: one more child. */
  | { readonly kind: 'branch' }
  /** The next signed token. */
  | { readonly kind: 'count'; readonly counter: number }
  /** The newest signed token again. */
  | { readonly kind: 'recount'; readonly counter: number; readonly cause: ReuseCause }
  /** Stolen, or hopelessly late: an error, and perhaps the end of the session. */
  | { readonly kind: 'reused'; readonly end: 'nothing' | 'tokens' | 'session' }
  /** A signed token that is ahead of its session: none of ours. */
  | { readonly kind: 'foreign' }

export type ReuseCause = 'fail-to-save' | 'concurrent-refresh' | 'concurrent-refresh,fail-to-save' | 'always-allow'

/** Decides on an opaque token; the caller holds the session's lock, so that the facts stay true until it has acted. */
export function planRefresh({ used, active, newest, signed, now }: RefreshFacts, rules: RefreshRules): RefreshPlan {
  const isFresh = now.getTime() <= used.updatedAt.getTime() + rules.reuseIntervalSeconds * 1000
  if (signed !== null) {
    const isLastOpaque = newest.parent === used.token && signed.counter === 0
    if (isLastOpaque) return { kind: 'recount', counter: signed.counter, cause: 'fail-to-save' }
    if (isFresh) return { kind: 'recount', counter: signed.counter, cause: 'concurrent-refresh' }
    return { kind: 'reused', end: rules.rotation ? 'session' : 'nothing' }
  }
  if (!used.revoked) return { kind: 'swap' }
  if (active !== null && active.parent === used.token)
    return { kind: 'repeat', token: active.token, cause: 'fail-to-save' }
  if (active !== null && isFresh) return { kind: 'branch' }
  return { kind: 'reused', end: rules.rotation ? 'tokens' : 'nothing' }
}

/** Decides on a signed token, by how many came after it. */
export function planSignedRefresh(
  facts: {
    readonly counter: number
    readonly signed: SignedState
    readonly lastRefreshAt: Date
    readonly now: Date
  },
  rules: RefreshRules,
): RefreshPlan {
  const { counter } = facts.signed
  const behind = counter - facts.counter
  if (behind < 0) return { kind: 'foreign' }
  if (behind === 0) return { kind: 'count', counter: counter + 1 }
  const isFresh = facts.now.getTime() - facts.lastRefreshAt.getTime() < rules.reuseIntervalSeconds * 1000
  if (behind === 1)
    return { kind: 'recount', counter, cause: isFresh ? 'concurrent-refresh,fail-to-save' : 'fail-to-save' }
  if (isFresh) return { kind: 'recount', counter, cause: 'concurrent-refresh' }
  if (rules.allowReuse) return { kind: 'recount', counter, cause: 'always-allow' }
  return { kind: 'reused', end: rules.rotation ? 'session' : 'nothing' }
}
