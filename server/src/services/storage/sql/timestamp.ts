import { type SqlFragment, sql } from '../../../ground/sql/sql.ts'

/** A `timestamptz` as JSON has it: ISO 8601 in UTC with milliseconds. */
export const isoTime = (column: SqlFragment): SqlFragment =>
  sql`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
