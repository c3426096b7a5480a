import type { RequestWork } from '../../../ground/model/request.ts'

/** The request that a call came with: what the gateway knows of it, and what is recorded of it. */
export type RequestContext = RequestWork

/** A JSON object of a client; unknown fields are ignored. */
export type Body = Readonly<Record<string, unknown>>

/** One call of the protocol. */
export interface Call {
  readonly context: RequestContext
  readonly body: Body
  /** Where links of this call may lead: already checked against the allow-list. */
  readonly redirectTo: string
}

/** What a call is answered with. */
export interface Reply {
  readonly status: number
  /** Undefined for an empty answer. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}
