/** A webhook or a request from SQL, as the thread shows it beside what caused it. */
export interface Send {
  readonly kind: 'webhook' | 'request'
  readonly id: string
  /** What asked for it: a request's id, or that of a job's run. */
  readonly causeId: string
  /** The webhook's name; null for a request of pg_net. */
  readonly hook: string | null
  readonly method: string
  /** Without secrets. */
  readonly url: string
  readonly state: 'waiting' | 'sending' | 'delivered' | 'failed'
  readonly attempts: number
  /** Of the last attempt; null before the first, and without a response. */
  readonly status: number | null
  readonly error: string | null
  readonly at: Date
  /** When the last attempt ended; null before. */
  readonly endedAt: Date | null
}
