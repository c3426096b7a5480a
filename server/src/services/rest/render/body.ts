import { constant, type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import type { Routine } from '../cache/schema-cache.ts'
import { returnsRow, returnsScalar, returnsScalars } from '../plan/routine.ts'
import type { BodyMaker } from '../plan/types.ts'
import { scalarColumn } from './call.ts'
import { columnOf, named, qualified } from './names.ts'

/** The rows that the body is made of, as a FROM item of this name. */
export const rowsName = '_postgrest_t'

const rows = named(rowsName)
const wholeRow = columnOf(rows, '*')
const scalar = columnOf(rows, scalarColumn)

const stripped = (json: SqlFragment, strip: boolean): SqlFragment => (strip ? sql`json_strip_nulls(${json})` : json)

const one = (value: SqlFragment, strip: boolean): SqlFragment =>
  sql`coalesce((${stripped(sql`json_agg(${value})`, strip)})->0, 'null')`

const all = (value: SqlFragment, strip: boolean): SqlFragment =>
  sql`coalesce(${stripped(sql`json_agg(${value})`, strip)}, '[]')`

function array(routine: Routine | null, strip: boolean): SqlFragment {
  if (routine === null) return all(wholeRow, strip)
  if (returnsRow(routine)) return one(wholeRow, strip)
  if (returnsScalar(routine)) return one(scalar, strip)
  return all(returnsScalars(routine) ? scalar : wholeRow, strip)
}

// A composite's text form is CSV between its parentheses; the header is the keys of the first row.
const csv = (source: string): SqlFragment => sql`(
  select coalesce(string_agg(keys.name, ','), '')
  from (select json_object_keys(row_to_json(first.*)) as name from (select * from ${constant(source)} limit 1) first) keys
) || chr(10) || coalesce(string_agg(substr((${wholeRow})::text, 2, length((${wholeRow})::text) - 2), chr(10)), '')`

/**
 * The expression that makes the body out of the rows (rest §10). It keeps its type: the body is the type's own text
 * form, which for XML is not what a cast to text gives.
 */
export function renderBody(maker: BodyMaker, routine: Routine | null, source: string): SqlFragment {
  switch (maker.kind) {
    case 'array':
      return array(routine, maker.stripped)
    case 'object':
      return one(routine !== null && returnsScalar(routine) ? scalar : wholeRow, maker.stripped)
    case 'csv':
      return csv(source)
    case 'geojson':
      return sql`json_build_object('type', 'FeatureCollection', 'features', coalesce(json_agg(st_asgeojson(${wholeRow})::json), '[]'))`
    case 'handler': {
      const isValue = routine !== null && returnsScalar(routine)
      const value = isValue ? scalar : maker.target === null ? wholeRow : sql`(${wholeRow})::${qualified(maker.target)}`
      return isValue && maker.target !== null ? value : sql`${qualified(maker.function)}(${value})`
    }
    case 'none':
      return sql`''`
  }
}
