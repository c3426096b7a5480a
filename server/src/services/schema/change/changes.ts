import { isDatabaseError, type Sql } from '../../../engines/postgres/index.ts'
import { schemaError } from '../errors.ts'
import type { SchemaSettings } from '../settings.ts'
import type { SchemaChange } from './change.ts'
import { type Effect, effectsOf } from './effects.ts'
import { type ChangeFacts, selectFacts } from './facts.ts'
import { nameOf } from './name.ts'
import { statementsOf, undoOutside } from './statements.ts'

/** A migration that was applied. */
export interface AppliedChange {
  readonly version: string
  readonly name: string
  /** Its file, from the project folder; null where none is written. */
  readonly path: string | null
}

/** How long a migration may wait and run. */
export interface MigrationLimits {
  readonly lockMs: number
  readonly statementMs: number
}

/** Statements that are to become a migration. */
export interface NewMigration {
  readonly name: string
  readonly statements: readonly string[]
  /**
   * Null: all statements are one transaction. Otherwise they run one by one, without limits, for what PostgreSQL does in no
   * transaction, and this takes away what one that fails has left.
   */
  readonly undo: string | null
}

/**
 * Runs statements as the application's owner and records them as a migration, together or not at all; the file of the
 * project folder, where there is one, is written with them.
 *
 * @throws what PostgreSQL refuses
 */
export type RunMigration = (migration: NewMigration, limits: MigrationLimits) => Promise<RanMigration>

/** What became of a migration; `pending` where the folder has others that come first, by their files. */
export type RanMigration =
  | { readonly kind: 'applied'; readonly version: string; readonly path: string | null }
  | { readonly kind: 'pending'; readonly files: readonly string[] }

export interface SchemaChangesDeps {
  /** Reads the catalogues: names are looked for in `pg_catalog`. */
  readonly catalogues: Pick<Sql, 'query'>
  readonly runMigration: RunMigration
  readonly settings: SchemaSettings
}

/** What changes come to, before they are made. */
export interface PlannedChanges {
  readonly name: string
  readonly statements: readonly string[]
  readonly effects: readonly Effect[]
}

/** Changes of the schema, planned and made. */
export interface SchemaChanges {
  /** @throws CLEW_SCHEMA_TEXT, CLEW_SCHEMA_ALONE, and CLEW_SCHEMA_REFUSED for a type that cannot be read */
  plan(changes: readonly SchemaChange[]): Promise<PlannedChanges>
  /**
   * @throws CLEW_SCHEMA_TEXT, CLEW_SCHEMA_ALONE, CLEW_SCHEMA_REFUSED, CLEW_SCHEMA_LOCKED, CLEW_SCHEMA_DEPENDENTS,
   *         CLEW_SCHEMA_BUILDING, CLEW_SCHEMA_PENDING
   */
  apply(changes: readonly SchemaChange[], name: string | null): Promise<AppliedChange>
}

export function createSchemaChanges({ catalogues, runMigration, settings }: SchemaChangesDeps): SchemaChanges {
  // A build keeps one of the few connections of the owner.
  let isBuilding = false
  return {
    async plan(changes) {
      undoOutside(changes)
      const statements = statementsOf(changes)
      const effects: Effect[] = []
      for (const change of changes) {
        const { rows } = await catalogues.query<ChangeFacts>(selectFacts(change)).catch((cause: unknown) => {
          throw refusalOf(cause)
        })
        const [facts] = rows
        if (facts !== undefined) effects.push(...effectsOf(change, facts))
      }
      return { name: nameOf(changes), statements, effects }
    },
    async apply(changes, given) {
      const name = given ?? nameOf(changes)
      const statements = statementsOf(changes)
      const limits = { lockMs: settings.lockSeconds * 1000, statementMs: settings.statementSeconds * 1000 }
      const undo = undoOutside(changes)
      if (undo !== null && isBuilding) throw schemaError('CLEW_SCHEMA_BUILDING')
      isBuilding ||= undo !== null
      const done = await runMigration({ name, statements, undo }, limits)
        .catch((cause: unknown) => {
          throw refusalOf(cause)
        })
        .finally(() => {
          if (undo !== null) isBuilding = false
        })
      if (done.kind === 'pending') throw schemaError('CLEW_SCHEMA_PENDING', { details: done.files.join('\n') })
      return { version: done.version, name, path: done.path }
    },
  }
}

/** `lock_not_available`, `dependent_objects_still_exist`. */
const [lockTimeout, dependents] = ['55P03', '2BP01']

/** What PostgreSQL did not accept, in its own words. */
function refusalOf(cause: unknown): unknown {
  if (!isDatabaseError(cause)) return cause
  if (cause.code === lockTimeout) return schemaError('CLEW_SCHEMA_LOCKED', { cause })
  const message = [cause.message, cause.detail, cause.hint].filter((text) => text !== undefined).join(' — ')
  return schemaError(cause.code === dependents ? 'CLEW_SCHEMA_DEPENDENTS' : 'CLEW_SCHEMA_REFUSED', { message, cause })
}
