import { constant, type SqlFragment, sql } from '../sql/sql.ts'

/** Tells which rows something keeps beyond their lifetime and budget: a legal hold, or a rule. */
export interface KeptLonger {
  /**
   * The condition that a row of a table of ClickHouse is kept longer; null where nothing is. It is true of what is kept at
   * this moment: ask for it right before rows are deleted.
   */
  condition(table: string): Promise<SqlFragment | null>
  /** The sessions that are kept longer. */
  sessions(): Promise<readonly string[]>
}

/** Keeps nothing longer. */
export const nothingKeptLonger: KeptLonger = { condition: async () => null, sessions: async () => [] }

/** The condition that nothing keeps a row longer. */
export const mayGo = (kept: SqlFragment | null): SqlFragment => (kept === null ? constant('true') : sql`not ${kept}`)
