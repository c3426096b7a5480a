import type { Identity } from './caller.ts'

/** How a request was tied to a recorded session: by what it carries, by the function that made it, or by inference. */
export type LinkChannel = 'header' | 'cookie' | 'function' | 'learnt'

/** The recorded session that a request says, or is known, to belong to. Never used for authentication. */
export interface SessionTag {
  /** posthog-js session id; null when only the person is known. */
  readonly sessionId: string | null
  /** The tab; null when the channel cannot tell it. */
  readonly windowId: string | null
  readonly distinctId: string | null
  readonly channel: LinkChannel
  /** False for a link that is only probable; the console says so. */
  readonly exact: boolean
}

/** One SQL statement that ran for a request, without its values. */
export interface StatementRecord {
  readonly startedAt: Date
  readonly durationMs: number
  /** SQL text with `$n` in place of values. */
  readonly text: string
  readonly parameterTypes: readonly string[]
  /** Rows returned or changed; for JSON built in the database the rows inside it, when known. */
  readonly rows: number | null
  readonly role: string
  /** SQLSTATE when it failed. */
  readonly errorCode: string | null
}

/**
 * The context of a request. The gateway makes it and passes it to the service; the engines append the statements that ran,
 * and the service sets the error code and the number of rows of its answer.
 */
export interface RequestContext {
  /** UUIDv7; answered as `x-request-id`. */
  readonly id: string
  readonly startedAt: Date
  readonly method: string
  /** As received, without the query string. */
  readonly path: string
  /** The query string without `?`, undecoded. */
  readonly query: string
  /** Lower-cased names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly remoteAddress: string
  readonly identity: Identity
  readonly tag: SessionTag | null
  /** The call of a function that made this request; null for any other. */
  readonly causeId: string | null
  /** Aborted when the client went away. */
  readonly signal: AbortSignal
  readonly statements: StatementRecord[]
  /** The code the service refused with, e.g. `PGRST205`; null when it did not. */
  errorCode: string | null
  /** Rows answered, when the service knows them. */
  rows: number | null
}

/** What one side said. */
export interface ExchangedMessage {
  /** Lower-cased names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | number | undefined>>
  /** Null where it was longer than what is copied. */
  readonly body: Buffer | null
}

/** What a request and its answer said, as it went over the connection: with all secrets. */
export interface Exchange {
  readonly request: ExchangedMessage
  readonly response: ExchangedMessage
}

/** A finished request, as the thread keeps it. */
export interface RequestRecord {
  readonly context: RequestContext
  readonly service: string
  readonly durationMs: number
  readonly status: number
  readonly requestBytes: number
  readonly responseBytes: number
  /** Null or absent where it is not copied. */
  readonly exchange?: Exchange | null
}
