/** One rule of the protocol, as a request and what must be answered. */
export interface RestCase {
  /** The section of docs/protocols/rest.md, then the rule in words. */
  readonly rule: string
  /** `GET /books?id=eq.1`; the path is below the API's root. */
  readonly request: string
  /** Other than that every transaction is rolled back. */
  readonly settings?: Readonly<Record<string, unknown>>
  readonly as?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly status: number
  /** The body as JSON, or as text where it is a string that starts with `=`. */
  readonly json?: unknown
  readonly text?: string
  /** Headers by lower-case name; null for one that must not be there. */
  readonly answer?: Readonly<Record<string, string | null>>
}
