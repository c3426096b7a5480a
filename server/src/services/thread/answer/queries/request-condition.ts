/** What a request of the wanted sessions is like; a session with one request that is all of it is wanted. */
export interface RequestCondition {
  readonly status?: string
  /** Milliseconds that it took at least. */
  readonly requestMs?: number
  /** Milliseconds that one of its statements took at least. */
  readonly statementMs?: number
  /** `schema.table` of rows that it changed. */
  readonly table?: string
}
