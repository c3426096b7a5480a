/** Why an engine did not store rows, in words that hold nothing of the rows. */
export interface InsertFailure {
  /**
   * `rows`: what was sent does not fit, and will not the next time. `engine`: it cannot at the moment (overload, memory,
   * time, connection, its disk, its tables), whatever the rows are.
   */
  readonly blame: 'rows' | 'engine'
  /** The engine's code and its name, `CANNOT_PARSE_DATE (38)`; of a lost connection what the system says. */
  readonly reason: string
}
