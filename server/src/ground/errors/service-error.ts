export interface ServiceErrorFields {
  readonly code: string
  readonly status: number
  /** What happened. */
  readonly message: string
  /** What to do about it, as the catalogue says. */
  readonly hint: string
  readonly details: unknown
  /** The `hint` of PostgREST's error body, of this one occurrence; null where PostgREST answers null. */
  readonly wireHint: string | null
  /** Response headers that the error demands, e.g. `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string>>
  readonly cause: unknown
}

/** An error that a client is meant to see. Any other thrown value is a bug and becomes a 500 without its text. */
export class ServiceError extends Error {
  readonly code: string
  readonly status: number
  readonly hint: string
  readonly details: unknown
  readonly wireHint: string | null
  readonly headers: Readonly<Record<string, string>>

  constructor(fields: ServiceErrorFields) {
    super(fields.message, { cause: fields.cause })
    this.name = 'ServiceError'
    this.code = fields.code
    this.status = fields.status
    this.hint = fields.hint
    this.details = fields.details
    this.wireHint = fields.wireHint
    this.headers = fields.headers
  }
}
