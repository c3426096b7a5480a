import { join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { columnOf, type Scope } from '../render/names.ts'
import type { DataTable } from './table-catalogue.ts'

/** Values in PostgreSQL's text form, by column. */
export type TextValues = Readonly<Record<string, string | null>>

/** The columns whose values are shown. */
export const shownColumns = ({ columns, secrets, masked }: DataTable): readonly string[] =>
  [...columns.keys()].filter((name) => !secrets.has(name) && !masked.has(name))

/** A JSON object of the columns' values as PostgreSQL's texts. */
export const textsOf = (scope: Scope, names: readonly string[]): SqlFragment =>
  names.length === 0
    ? sql`'{}'::json`
    : sql`(select json_object_agg(pair.name, pair.value)
        from (values ${join(names.map((name) => sql`(${typed(name, 'text')}, ${columnOf(scope, name)}::text)`))}) pair (name, value))`
