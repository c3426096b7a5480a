import { constant, join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { JsonPayload, PlannedColumn } from '../plan/types.ts'
import { columnOf, named, qualified, quoted } from './names.ts'

/** The rows of a payload, as a FROM item of this name. */
export const body = 'pgrst_body'

export interface PayloadOptions {
  readonly withDefaults: boolean
  /** A call's arguments: of several objects only the first counts. */
  readonly onlyFirst: boolean
}

// The type is the catalogue's own spelling, quoted by PostgreSQL.
const declared = ({ name, type }: PlannedColumn): SqlFragment => sql`${quoted(name)} ${constant(type)}`

const converted = ({ name, transform }: PlannedColumn): SqlFragment =>
  transform === null ? quoted(name) : sql`${qualified(transform)}(${quoted(name)}) as ${quoted(name)}`

// PostgreSQL's functions take a hundred arguments, and a member is two.
const mostMembers = 50

/** The columns' defaults as one object. */
function defaultsOf(columns: readonly PlannedColumn[]): SqlFragment {
  const members = columns.flatMap(({ default: entry }) =>
    entry === null ? [] : [sql`${constant(entry.name)}, ${constant(entry.value)}`],
  )
  const objects = [sql`jsonb_build_object(${join(members.slice(0, mostMembers))})`]
  for (let from = mostMembers; from < members.length; from += mostMembers) {
    objects.push(sql`jsonb_build_object(${join(members.slice(from, from + mostMembers))})`)
  }
  return join(objects, ' || ')
}

/** Each object on top of the defaults of the columns; the object's own members win. */
function withDefaults(payload: JsonPayload, columns: readonly PlannedColumn[]): SqlFragment {
  if (payload.isObject) {
    return sql`lateral (select ${defaultsOf(columns)} || pgrst_payload.json_data as val) pgrst_json_defs, `
  }
  return sql`lateral (select jsonb_agg(${defaultsOf(columns)} || elem) as val from jsonb_array_elements(pgrst_payload.json_data) elem) pgrst_json_defs, `
}

/**
 * `from …`: the payload's rows with the columns' types, read by PostgreSQL from the text as it was sent
 * (rest §7). The whole payload is one parameter.
 */
export function renderPayload(
  payload: JsonPayload,
  columns: readonly PlannedColumn[],
  options: PayloadOptions,
): SqlFragment {
  const kind = options.withDefaults ? 'jsonb' : 'json'
  const data = options.withDefaults ? sql`pgrst_json_defs.val` : sql`pgrst_payload.json_data`
  const defaults = options.withDefaults ? withDefaults(payload, columns) : sql``
  const limit = options.onlyFirst ? sql` limit 1` : sql``
  const rows =
    columns.length > 0
      ? sql`select ${join(columns.map(converted))} from ${constant(kind)}_to_record${constant(payload.isObject ? '' : 'set')}(${data}) as _(${join(columns.map(declared))})${limit}`
      : payload.isObject
        ? sql`select from (values (1)) _`
        : sql`select from ${constant(kind)}_array_elements(${data}) _`
  return sql`from (select ${typed(payload.text, kind)} as json_data) pgrst_payload, ${defaults}lateral (${rows}) ${quoted(body)}`
}

/** The payload's columns, qualified. */
export const payloadColumns = (columns: readonly { readonly name: string }[]): SqlFragment =>
  join(columns.map(({ name }) => columnOf(named(body), name)))
