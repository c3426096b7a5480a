/** A page of sessions, newest start first; with `ids`, exactly these where they exist. */
export interface SessionQuery {
  readonly ids?: readonly string[]
  /** Only sessions that began before this instant on the server's clock. */
  readonly startedBefore?: Date
  readonly limit: number
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
