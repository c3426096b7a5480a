import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import type { Editor, Sql } from '../../engines/postgres/index.ts'
import type { Log } from '../../ground/model/log.ts'
import type { OpenTopic } from '../../ground/model/topic.ts'
import type { SqlEditorSettings } from './settings.ts'

/** What the SQL editor needs of the instance. */
export interface SqlEditorDeps {
  /** The tables of `clew_sql_editor`. */
  readonly sql: Sql
  /** Reads the catalogue as the application's owner. */
  readonly reader: Pick<Sql, 'query'>
  readonly editor: Editor
  readonly clickhouse: Pick<ClickHouse, 'query' | 'readTable' | 'command'>
  /** Joins the processes: a change is committed by the one that holds it. */
  readonly topic: OpenTopic
  readonly now: () => Date
  /** A UUID. */
  readonly newId: () => string
  readonly log: Pick<Log, 'warn'>
  readonly settings: SqlEditorSettings
}
