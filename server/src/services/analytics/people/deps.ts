import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { Sql } from '../../../engines/postgres/index.ts'

/** Where people and what they did are read. */
export interface PeopleDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly clickhouse: Pick<ClickHouse, 'query'>
  readonly now: () => Date
}
