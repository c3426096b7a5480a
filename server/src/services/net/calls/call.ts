/** An HTTP request that SQL made. */
export interface Call {
  readonly method: string
  readonly url: string
  /** As SQL gave them: values that are no text are sent as their JSON. */
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Buffer | null
  readonly timeoutMs: number
  /** The request or the run of a job that asked for it; null for direct SQL. */
  readonly causeId: string | null
}

/** What an HTTP request came to. */
export type Outcome =
  | {
      readonly kind: 'response'
      readonly status: number
      /** Names as the server wrote them. */
      readonly headers: Readonly<Record<string, string>>
      readonly contentType: string | null
      readonly content: string
    }
  | { readonly kind: 'timeout' | 'connection' | 'refused' | 'too large' | 'stopped'; readonly message: string }

/** Sends a call; it never rejects. */
export type SendCall = (call: Call, signal: AbortSignal) => Promise<Outcome>
