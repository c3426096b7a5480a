import type { RequestContext } from '../../../ground/model/request.ts'

export type { RequestContext } from '../../../ground/model/request.ts'

/** A JSON object of a client; unknown fields are ignored. */
export type Body = Readonly<Record<string, unknown>>

/** One call of the protocol. */
export interface Call {
  readonly context: RequestContext
  readonly body: Body
  /** Where links of this call may lead: already checked against the allow-list. */
  readonly redirectTo: string
}

/** The response to a call. */
export interface AuthResponse {
  readonly status: number
  /** Undefined for an empty answer. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}
