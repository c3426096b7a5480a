export interface ServiceErrorFields {
  readonly code: string
  readonly status: number
  readonly message: string
  readonly mend: string
  readonly details: unknown
  readonly hint: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly cause: unknown
}

/** A refusal that a client is meant to see. Anything else that is thrown is a bug and becomes a 500 without its text. */
export class ServiceError extends Error {
  readonly code: string
  readonly status: number
  readonly mend: string
  readonly details: unknown
  readonly hint: string | null
  /** Answer headers that the refusal demands, e.g. `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(fields: ServiceErrorFields) {
    super(fields.message, { cause: fields.cause })
    this.name = 'ServiceError'
    this.code = fields.code
    this.status = fields.status
    this.mend = fields.mend
    this.details = fields.details
    this.hint = fields.hint
    this.headers = fields.headers
  }
}
