import type { JsonObject } from '../../../ground/json/object.ts'
import { renderJsonb } from '../../../ground/sql/jsonb.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** A group as it is stored. */
export interface GroupRow {
  readonly type: string
  readonly key: string
  readonly properties: JsonObject
  readonly property_times: Readonly<Record<string, number>>
  readonly created_at: Date
}

/** Types are numbered and groups are written by one process at a time. Held until the transaction ends. */
export const lockGroupsStatement = (): Statement =>
  compile(sql`select pg_advisory_xact_lock(hashtext('clew_analytics.groups'))`)

/** The types and their numbers. */
export const selectTypesStatement = (): Statement =>
  compile(sql`select type, index from clew_analytics.group_types order by index`)

/** Numbers new types; the caller has counted that there is room. */
export const insertTypesStatement = (types: readonly { readonly type: string; readonly index: number }[], at: Date) =>
  compile(sql`
    insert into clew_analytics.group_types (type, index, created_at)
    select type, index, ${typed(at, 'timestamptz')}
    from jsonb_to_recordset(${typed(renderJsonb(types), 'jsonb')}) as new (type text, index smallint)
    on conflict do nothing`)

/** Groups by type and key; those that are not stored are left out. */
export const selectGroupsStatement = (groups: readonly { readonly type: string; readonly key: string }[]): Statement =>
  compile(sql`
    select g.type, g.key, g.properties, g.property_times, g.created_at
    from unnest(
      ${typed(
        groups.map(({ type }) => type),
        'text[]',
      )},
      ${typed(
        groups.map(({ key }) => key),
        'text[]',
      )}
    ) as asked (type, key)
    join clew_analytics.groups g on g.type = asked.type and g.key = asked.key`)

/** Groups of a type, described or not, those seen latest first. */
export const selectSomeGroupsStatement = (type: string, limit: number): Statement =>
  compile(sql`
    select s.key, coalesce(g.properties, '{}') as properties
    from clew_analytics.groups_seen s
    left join clew_analytics.groups g on g.type = s.type and g.key = s.key
    where s.type = ${typed(type, 'text')}
    order by s.last_seen_at desc, s.key desc
    limit ${typed(limit, 'int')}`)

/** Writes groups as they are now. */
export const upsertGroupsStatement = (groups: readonly GroupRow[]): Statement =>
  compile(sql`
    insert into clew_analytics.groups (type, key, properties, property_times, created_at)
    select type, key, properties, property_times, created_at
    from jsonb_to_recordset(${typed(renderJsonb(groups), 'jsonb')})
      as new (type text, key text, properties jsonb, property_times jsonb, created_at timestamptz)
    on conflict (type, key) do update set
      properties = excluded.properties,
      property_times = excluded.property_times`)
