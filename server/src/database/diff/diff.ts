import type { Action, FactBase } from '@supabase/pg-delta'
import type pg from 'pg'
import { revokeStatements } from './default-grants.ts'
import { projectPolicy } from './policy.ts'

/** A schema as it was at one moment. */
export type SchemaSnapshot = FactBase

/** What makes one schema into another. */
export interface SchemaDiff {
  /**
   * Scripts in the order in which they are applied, each a transaction of its own: the value that is added to an enum, for
   * one, is not used in the transaction that adds it. None where the schemas are equal.
   */
  readonly scripts: readonly string[]
  /** Statements that drop an object, or lose rows. */
  readonly destructive: readonly string[]
}

/** A megabyte of code, which a start does not need. */
const loadLibrary = () => import('@supabase/pg-delta')

/** Reads the schema of a database: definitions alone, no rows. Secrets of foreign servers are left out. */
export async function readSchema(pool: pg.Pool): Promise<SchemaSnapshot> {
  const { extract } = await loadLibrary()
  return (await extract(pool)).factBase
}

/**
 * Compares two schemas.
 *
 * @param from    what there is
 * @param to      what there should be
 * @param schemas those that are compared; all of the project where there is none
 */
export async function diffSchemas(
  from: SchemaSnapshot,
  to: SchemaSnapshot,
  schemas: readonly string[] = [],
): Promise<SchemaDiff> {
  const { plan, supabasePolicy, isDestructiveAction, renderPlanFiles } = await loadLibrary()
  const policy = projectPolicy(supabasePolicy, schemas)
  const planned = plan(from, to, { policy, scope: 'database', defaultOwner: 'postgres' })
  const actions = planned.actions
    .filter((action) => !isFollowing(action.sql))
    .flatMap((action) => [action, ...revocations(action, to)])
  return {
    scripts: renderPlanFiles({ ...planned, actions }, { allowDrops: true }).files.map(withoutTitle),
    destructive: actions.filter(isDestructiveAction).map(({ sql }) => sql.trim()),
  }
}

/** Whether a statement only has the history of a table's rows recorded, which a start does by itself. */
const isFollowing = (sql: string): boolean => /^alter table \S+ replica identity (full|default);?$/i.test(sql.trim())

/** What follows the creation of an object at once, before anything is granted on it. */
const revocations = (action: Action, to: SchemaSnapshot): readonly Action[] =>
  action.verb !== 'create'
    ? []
    : action.produces
        .flatMap((id) => revokeStatements(id, to))
        .map((sql) => ({ ...action, sql, verb: 'alter', dataLoss: 'none', newSegmentBefore: false }))

const withoutTitle = ({ contents }: { readonly contents: string }): string => contents.replace(/^-- pg-delta: .*\n/, '')
