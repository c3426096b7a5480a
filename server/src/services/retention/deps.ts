import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import type { Sql } from '../../engines/postgres/index.ts'
import type { KeptTable } from '../../ground/model/service-tables.ts'
import type { RetentionSettings } from './settings.ts'

/** The person of an id of analytics, or of a user. */
export type PersonKey = { readonly personId: string } | { readonly userId: string }

/** What a person is known by. */
export interface KnownIds {
  readonly personId: string
  readonly userId: string | null
  readonly distinctIds: readonly string[]
}

/** What holds need. */
export interface RetentionDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly clickhouse: Pick<ClickHouse, 'query' | 'command' | 'insert'>
  /** Tables whose rows are deleted by their age. */
  readonly tables: readonly KeptTable[]
  readonly findPerson: (key: PersonKey) => Promise<KnownIds | null>
  readonly settings: RetentionSettings
  readonly now: () => Date
  readonly newId: () => string
}
