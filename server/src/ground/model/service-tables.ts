/** Kinds of data that grow with use, each with a budget of its own. */
export const keptKinds = ['recordings', 'events', 'requests', 'history', 'errors'] as const
export type KeptKind = (typeof keptKinds)[number]

/** A table of ClickHouse whose oldest rows may be deleted to free space. */
export interface KeptTable {
  readonly kind: KeptKind
  readonly name: string
  /** What a row's age is counted from: an expression of type `DateTime64(3)`. */
  readonly time: string
  /** What its rows are tied to, by which a hold finds them. */
  readonly ties: RowTies
  /** Whether a row is an error of its session: an expression; absent where none is. */
  readonly isError?: string
  /** The span of one partition, whose id begins with its first day (`20260131`); null for a table without partitions. */
  readonly partition: 'day' | 'week' | null
  /** Whether its service deletes its rows after the days of a setting. */
  readonly expires: boolean
}

/** The columns of texts that tie rows of a table to others; empty in a row that has no such tie. */
export interface RowTies {
  readonly session?: string
  /** Ids of analytics, and of users. */
  readonly ids?: readonly string[]
  /** Of `requests`. */
  readonly request?: string
  /** Traces that requests stand in, or that they began. */
  readonly trace?: string
}

/** The tables that a service owns. */
export interface ServiceTables {
  /** Names the service in the migration history of both engines. */
  readonly name: string
  /** The folder of the migrations for PostgreSQL, where the service has tables there. */
  readonly postgres?: URL
  /** The folder of the migrations for ClickHouse, where the service has tables there. */
  readonly clickhouse?: URL
  /** Tables of ClickHouse that grow with use. */
  readonly kept?: readonly KeptTable[]
  /** Tables of PostgreSQL, `schema.table`, that hold personal data and that a sample of recorded visits may fill. */
  readonly people?: readonly string[]
}
