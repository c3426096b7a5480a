/** What an error's body tells. */
export interface Told {
  readonly code: string
  readonly message: string
  readonly details: unknown
  readonly hint: string | null
}

/** An error's body: compact JSON, the keys in alphabetical order (rest §14, §19.1). */
export function problemBody({ code, details, hint, message }: Told, verbose: boolean): string {
  return JSON.stringify(verbose ? { code, details: details ?? null, hint, message } : { code, message })
}
