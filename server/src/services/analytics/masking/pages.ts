import type { JsonObject } from '../../../ground/json/object.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { empty, identifier, join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

/** Properties of a person or a group. */
export interface PageRow {
  /** Its primary key. */
  readonly key: readonly string[]
  readonly properties: JsonObject
  /** Whether its properties may hold what is masked. */
  readonly concerned: boolean
}

export type PagedTable = 'persons' | 'groups'

const pageRows = 1000
const keys: Readonly<Record<PagedTable, readonly string[]>> = { persons: ['id'], groups: ['type', 'key'] }
const types: Readonly<Record<PagedTable, string>> = { persons: 'uuid', groups: 'text' }

const tableOf = (table: PagedTable): SqlFragment => identifier('clew_analytics', table)
const columnsOf = (table: PagedTable): SqlFragment => join(keys[table].map((name) => identifier(name)))

export const selectSizeStatement = (table: PagedTable): Statement =>
  compile(sql`select count(*)::float8 as rows from ${tableOf(table)}`)

/**
 * The next rows by their key, locked; of those that are not concerned, nothing but the key.
 *
 * @param after the last key that was seen
 * @param names of properties
 * @param forms the names as they stand in addresses
 */
export function selectPageStatement(
  table: PagedTable,
  after: readonly string[] | null,
  names: readonly string[],
  forms: readonly string[],
): Statement {
  const from =
    after === null
      ? empty
      : sql`where (${columnsOf(table)}) > (${join(after.map((value) => sql`${typed(value, types[table])}`))})`
  return compile(sql`
    select array[${join(keys[table].map((name) => sql`${identifier(name)}::text`))}] as key, concerned,
      case when concerned then properties else '{}' end as properties
    from (
      select *, properties ?| ${typed(names, 'text[]')} or exists (
        select
        from unnest(${typed(forms, 'text[]')}) as form
        where strpos(lower(properties::text), lower(form) || '=') > 0
      ) as concerned
      from ${tableOf(table)}
      ${from}
      order by ${columnsOf(table)}
      limit ${typed(pageRows, 'int')}
      for update
    ) page
    order by ${columnsOf(table)}`)
}

/** Stores new properties. */
export function updatePropertiesStatement(table: PagedTable, rows: readonly PageRow[]): Statement {
  const given = rows.map(({ key, properties }) => ({ key, properties }))
  const isRow = keys[table].map(
    (name, index) =>
      sql`t.${identifier(name)} = (g.value -> 'key' ->> ${typed(index, 'int')})::${types[table] === 'uuid' ? sql`uuid` : sql`text`}`,
  )
  return compile(sql`
    update ${tableOf(table)} t
    set properties = g.value -> 'properties'
    from jsonb_array_elements(${typed(JSON.stringify(given), 'jsonb')}) as g
    where ${join(isRow, ' and ')}`)
}
