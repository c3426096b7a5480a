/** What a distinct id was shown of an experiment. */
export interface Exposure {
  readonly id: string
  /** Keys of the flag's variants, each once. */
  readonly variants: readonly string[]
  /** When it was shown one first, in milliseconds since 1970. */
  readonly firstMs: number
}

/** What was counted of an id, by time. */
export interface Occurrences {
  /** A distinct id, or the id of a user. */
  readonly id: string
  readonly events: readonly {
    /** Milliseconds since 1970. */
    readonly atMs: number
    readonly value: number
  }[]
}
