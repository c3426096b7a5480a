/** One line of a function's log (functions §7). */
export interface FunctionLog {
  readonly at: Date
  /** The function's name. */
  readonly name: string
  readonly version: string
  /** The process that it ran in. */
  readonly executionId: string
  /** The request for which it was written; null where that is not known. */
  readonly requestId: string | null
  readonly kind: 'boot' | 'boot_failure' | 'exception' | 'fetch' | 'log' | 'shutdown'
  readonly level: 'debug' | 'info' | 'warning' | 'error'
  readonly text: string
}
