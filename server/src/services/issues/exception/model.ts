/** A source line, and some before and after it. */
export interface SourceContext {
  readonly before: readonly string[]
  readonly line: string
  readonly after: readonly string[]
}

/** A call on the stack. */
export interface Frame {
  readonly file: string | null
  readonly function: string | null
  /** From 1. */
  readonly line: number | null
  /** From 1. */
  readonly column: number | null
  /** Whether it is the application's own code. */
  readonly inApp: boolean
  /** posthog's id of a built file, which its source map carries as well. */
  readonly chunkId: string | null
  readonly context: SourceContext | null
  /** Where the built file had it; null where no source map was used. */
  readonly built: { readonly file: string; readonly line: number; readonly column: number } | null
}

/** One exception of a chain. */
export interface Exception {
  readonly type: string
  readonly message: string
  /** Whether the application caught it. */
  readonly handled: boolean
  /** Innermost call first. */
  readonly frames: readonly Frame[]
}

/** What a client reported: an exception, and what led to it. */
export interface Report {
  /** Outermost first, causes follow; at least one. */
  readonly exceptions: readonly Exception[]
  readonly level: Level
  /** The client's own; null where it leaves grouping to us. */
  readonly fingerprint: string | null
  readonly release: string | null
  /** What the application noted before, oldest first. */
  readonly steps: readonly Step[]
}

export interface Step {
  readonly at: string | null
  readonly message: string
}

export const levels = ['fatal', 'error', 'warning', 'info', 'debug'] as const
export type Level = (typeof levels)[number]
