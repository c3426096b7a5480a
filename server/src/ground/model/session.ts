/** Which sessions a source is asked for, by the start that it knows of each. */
export interface SessionStartsQuery {
  /** Only sessions that began before this instant on the server's clock. */
  readonly startedBefore: Date
  /** From where on it is read back: that instant, or now. */
  readonly from: Date
  /** Only sessions with errors, or those of which something came since an instant. */
  readonly only?: 'errors' | { readonly activeSince: Date }
  readonly limit: number
}

/** When a session began, as one source knows it; on the server's clock. */
export interface SessionStart {
  readonly sessionId: string
  readonly startedAt: Date
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
