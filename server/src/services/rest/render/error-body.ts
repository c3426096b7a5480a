/** What the body of an error response says. */
export interface ErrorFields {
  readonly code: string
  readonly message: string
  readonly details: unknown
  readonly hint: string | null
}

/** The body of an error response: compact JSON, the keys in alphabetical order (rest §14, §19.1). */
export function errorBody({ code, details, hint, message }: ErrorFields, verbose: boolean): string {
  return JSON.stringify(verbose ? { code, details: details ?? null, hint, message } : { code, message })
}
