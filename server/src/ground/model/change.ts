/** A column's value as PostgreSQL's text form; null is SQL null. Absent keys were not sent (unchanged TOAST). */
export type RowValues = Readonly<Record<string, string | null>>

/** A stretch of the log whose changes were never read, so that histories lack them. */
export interface ChangeGap {
  readonly id: number
  /** Everything up to here was read, `16/B374D848`; null where that is not known. */
  readonly fromLsn: string | null
  /** Everything from here on is read; null while the stream has not begun again. */
  readonly toLsn: string | null
  readonly endedAt: Date | null
  /** A sentence. */
  readonly reason: string
}

/** A table under the names that it had when its rows changed; the same object for all changes under these names. */
export interface RelationVersion {
  /** PostgreSQL's number of the table (`oid`), which stays when it is renamed. */
  readonly id: number
  /** Numbers (`attnum`) of the primary key's columns in key order, which stay when they are renamed. */
  readonly keyNumbers: readonly number[]
}

/** One row's change, read from the write-ahead log. */
export interface RowChange {
  readonly relation: RelationVersion
  readonly schema: string
  readonly table: string
  readonly operation: 'insert' | 'update' | 'delete' | 'truncate'
  /** Primary key columns in key order; empty when the table has none, or was truncated. */
  readonly key: RowValues
  /** Before: whole row with `replica identity full`, else what identifies it (its key, or the columns of another index), else null. */
  readonly old: RowValues | null
  readonly new: RowValues | null
  /** Column name → PostgreSQL type name, so that a reader can show values as what they are. */
  readonly types: Readonly<Record<string, string>>
}

/** What made a transaction, as it says itself: a request, or a run of a scheduled job. */
export interface ChangeCause {
  /** A request's id, or that of a job's run (`jobRunId`). */
  readonly id: string
  /** The job's name; null for a request, and for a job without one. */
  readonly jobName: string | null
}

/** A committed transaction of the change stream, in commit order. */
export interface ChangeTransaction {
  /**
   * The commit's place, `16/B374D848`: unique and increasing. It is the commit LSN, and in the highest 12 bits the number of
   * servers that were read before this one: a promoted standby may begin before what its primary wrote last.
   */
  readonly lsn: string
  readonly xid: number
  readonly committedAt: Date
  /** Null for direct SQL and migrations. */
  readonly cause: ChangeCause | null
  readonly changes: readonly RowChange[]
  /** A large transaction arrives in parts: how many of its changes came before these; absent means none. */
  readonly offset?: number
}
