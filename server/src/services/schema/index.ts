import type { Sql } from '../../engines/postgres/index.ts'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { createSchemaChanges, type RunMigration } from './change/changes.ts'
import { changeRoutes } from './http/change-routes.ts'
import { readRoutes } from './http/read-routes.ts'
import type { SchemaSettings } from './settings.ts'

export type { MigrationLimits, NewMigration, RanMigration, RunMigration } from './change/changes.ts'
export { schemaError } from './errors.ts'

/** What the schema screens need. */
export interface SchemaDeps {
  /** Reads the catalogues: names are looked for in `pg_catalog`, so that types come with their schemas. */
  readonly catalogues: Pick<Sql, 'query'>
  /** Reads as the application's owner. */
  readonly reader: Pick<Sql, 'query'>
  /** The application's owner, whose objects can be changed. */
  readonly ownerRole: string
  readonly runMigration: RunMigration
  readonly settings: SchemaSettings
  readonly actions: OperatorActions
}

/** The schema of the application in the console: read from the catalogues, and changed by migrations. */
export const schemaService = (deps: SchemaDeps) => ({
  console: [readRoutes(deps), changeRoutes(createSchemaChanges(deps), deps.actions)],
})
