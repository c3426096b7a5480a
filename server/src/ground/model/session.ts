/** How a list of sessions is put in order; `newest` is the order in which they are stored. */
export const sessionOrders = ['newest', 'longest', 'errors', 'statement'] as const
export type SessionOrder = (typeof sessionOrders)[number]

/** A flag that a visitor was shown a variant of; any variant where none is named. */
export interface SeenFlag {
  readonly key: string
  readonly variant: string | null
}

/** Which sessions a source is asked for, by the start that it knows of each. */
export interface SessionStartsQuery {
  /** Only sessions that began before this instant on the server's clock. */
  readonly startedBefore: Date
  /** From where on it is read back: that instant, or now. */
  readonly from: Date
  /** Only sessions with errors, or those of which something came since an instant. */
  readonly only?: 'errors' | { readonly activeSince: Date }
  /** ISO 3166-1 code of a country that events of the session came from; only events know it. */
  readonly country?: string
  /** A flag whose variant was shown in the session; only events know it. */
  readonly flag?: SeenFlag
  readonly limit: number
}

/** What pages of starts have in common that are found about as far back as one another, as a key. */
export const kindOfStarts = ({ startedBefore, from, limit, only, country, flag }: SessionStartsQuery): string =>
  JSON.stringify([
    startedBefore > from,
    limit,
    typeof only === 'object' ? 'active' : (only ?? null),
    country ?? null,
    flag ?? null,
  ])

/** The kind of all sessions, which has those of a query and others. */
export const kindOfAllStarts = ({ startedBefore, from, limit }: SessionStartsQuery): string =>
  kindOfStarts({ startedBefore, from, limit })

/** A session's longest way: what the browser itself ends. */
export const longestSessionMs = 24 * 60 * 60_000

/**
 * Whether a stretch of time is short: of its sessions those with something rare are found by looking at all of them, for what
 * is rare may come up to a day after a start. Of a long stretch what is rare tells the sessions.
 */
export const isShortStretch = (since: Date | null, before: Date): boolean =>
  since !== null && before.getTime() - since.getTime() <= longestSessionMs

/** A session as one source knows it; times are on the server's clock. */
export interface SessionStart {
  readonly sessionId: string
  readonly startedAt: Date
  readonly endedAt: Date
  readonly errors: number
}

/** A session that a text was found in. */
export interface FoundSession {
  readonly sessionId: string
  /** When what was found happened last. */
  readonly at: Date
}

/** What a recording or events say of one tab of a session, and of one id of the browser. */
export interface SessionSign {
  readonly sessionId: string
  readonly windowId: string | null
  readonly distinctId: string
  /** As the browser names itself; null where it did not say. */
  readonly userAgent: string | null
  /** On the server's clock. */
  readonly from: Date
  readonly to: Date
}

/** An error that a console showed, or that was captured as an exception. */
export interface ErrorLine {
  readonly windowId: string | null
  /** On the browser's clock. */
  readonly clientMs: number
  readonly text: string
}

/** What a link to a session can show beside the recording and its pages. */
export const shareLanes = ['clicks', 'api', 'rows', 'live', 'console'] as const

/** One of `shareLanes`. */
export type ShareLane = (typeof shareLanes)[number]

/** How much of a session a link shows. */
export interface SharedView {
  readonly lanes: readonly ShareLane[]
  /** Values of rows, of filters and of lines that the page or a function wrote. */
  readonly values: boolean
  /** Who the session is of. */
  readonly person: boolean
}
