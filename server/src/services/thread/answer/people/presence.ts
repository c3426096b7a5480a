/** What a request says of who sent it; null where it does not say. */
export interface Claim {
  readonly windowId: string | null
  readonly distinctId: string | null
  /** Of its token, which was verified. */
  readonly userId: string | null
  readonly authSessionId: string | null
  readonly userAgent: string | null
}

/** Requests of one claim, from the first to the last. */
export interface Seen extends Claim {
  readonly fromMs: number
  readonly toMs: number
}

/** What the session's own recording or events say of a tab and an id of the browser. */
export interface OwnSign {
  readonly windowId: string | null
  readonly distinctId: string
  readonly userAgent: string | null
  readonly fromMs: number
  readonly toMs: number
}

/** The user last seen with an id of this browser before the session began. */
export interface Earlier {
  readonly userId: string
  readonly signedOut: boolean
}

/** Everything that tells who was in a session. Times are the server's. */
export interface SessionEvidence {
  readonly own: readonly OwnSign[]
  readonly seen: readonly Seen[]
  /** When auth sessions ended, where it is known. */
  readonly endedMs: ReadonlyMap<string, number>
  readonly earlier: Earlier | null
  /** What analytics knows of an id: ids of one person have one key. */
  readonly personOf: (distinctId: string) => { readonly key: string; readonly userId: string | null }
}

/** The person of a stretch or a call: a user, the visitor behind an id of the browser, or not known. */
export type Who =
  | { readonly kind: 'user'; readonly userId: string; readonly distinctId: string }
  | { readonly kind: 'visitor'; readonly distinctId: string }
  | { readonly kind: 'unknown' }

/** A part of a session that was one person's. */
export interface Stretch {
  readonly who: Who
  /** The tabs it was seen in; none: all of them. */
  readonly windowIds: readonly string[]
  readonly fromMs: number
  readonly toMs: number
  /** Why it is only probable; null where it is proven. */
  readonly why: string | null
}

/** Who was in a session, and which requests only claim to be of it. */
export interface SessionPeople {
  readonly stretches: readonly Stretch[]
  /** Why a request with this claim is not of this session; null where nothing speaks against it. */
  foreignWhy(claim: Claim): string | null
  /** Who sent a request: its token's user, else the person at that time. */
  whoSent(claim: Claim, atMs: number): Who
}

/** A stretch of time. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** A person who cannot be named: signed out, and not identified by the application. */
export const unknownPerson: Who = { kind: 'unknown' }
