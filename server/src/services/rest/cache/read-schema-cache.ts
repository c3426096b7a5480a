import type { Sql } from '../../../engines/postgres/index.ts'
import type { RestSettings } from '../settings.ts'
import { buildSchemaCache } from './build.ts'
import type { Catalogue } from './catalogue.ts'
import { catalogueStatement } from './catalogue-statement.ts'
import type { SchemaCache } from './schema-cache.ts'

/**
 * Reads the schema from the catalogues, in one round trip.
 *
 * @param loginRole the role that requests log in as; null for the role of `database`
 * @param before the cache of the last time: views that are as they were are not read again
 */
export async function readSchemaCache(
  database: Pick<Sql, 'query'>,
  settings: Pick<RestSettings, 'schemas' | 'extraSearchPath' | 'hoistedTxSettings'>,
  loginRole: string | null,
  now: Date,
  before: SchemaCache | null = null,
): Promise<SchemaCache> {
  const { schemas, extraSearchPath, hoistedTxSettings: hoistedSettings } = settings
  const knownViews = before?.knownViews ?? new Map()
  const scope = { schemas, extraSearchPath, hoistedSettings, loginRole, knownViews: [...knownViews.keys()] }
  const { rows } = await database.query<{ document: string }>(catalogueStatement(scope))
  // The statement's own JSON, as `Catalogue` describes it.
  const catalogue = JSON.parse(rows[0]?.document ?? '{}') as Catalogue
  return buildSchemaCache(catalogue, schemas, now, knownViews)
}
