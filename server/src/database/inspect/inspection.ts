import type { Statement } from '../../ground/sql/postgres.ts'

/** A question about how a database is doing. */
export interface Inspection {
  /** One sentence for `--help`. */
  readonly description: string
  /** The columns in their order; each is a column of the statement, as text. */
  readonly columns: readonly string[]
  /** The columns that are aligned to the right: sizes, counts, shares. */
  readonly right?: readonly string[]
  readonly statement: Statement
  /** The extension without which there is no answer. */
  readonly extension?: string
}
