import { compile, type Statement } from '../../../../ground/sql/postgres.ts'
import { join, type SqlFragment, sql } from '../../../../ground/sql/sql.ts'
import { qualified, quoted, type Scope } from '../../render/names.ts'
import type { RowChange } from '../schemas.ts'
import type { DataTable } from '../table-catalogue.ts'
import { shownColumns, textsOf } from '../text-values.ts'

type Values = Readonly<Record<string, string | null>>

const whereKey = (key: Values): SqlFragment =>
  join(
    Object.entries(key).map(([name, value]) => sql`${quoted(name)} = ${value}`),
    ' and ',
  )

/**
 * The statement of one change. Values are texts that PostgreSQL reads by the type of their column, as an assignment does:
 * one that is too long is refused and not cut.
 */
export function renderChange(table: DataTable, change: RowChange): SqlFragment {
  const name = qualified(table)
  switch (change.kind) {
    case 'insert': {
      const columns = Object.entries(change.values)
      if (columns.length === 0) return sql`insert into ${name} default values`
      const overrides = columns.some(([column]) => table.columns.get(column)?.identity === 'always')
      const names = join(columns.map(([column]) => quoted(column)))
      const values = join(columns.map(([, value]) => sql`${value}`))
      return sql`insert into ${name} (${names})${overrides ? sql` overriding system value` : sql``}
values (${values})`
    }
    case 'update': {
      const values = Object.entries(change.values).map(([column, value]) => sql`${quoted(column)} = ${value}`)
      const defaults = change.defaults.map((column) => sql`${quoted(column)} = default`)
      return sql`update ${name}
set ${join([...values, ...defaults])}
where ${whereKey(change.key)}`
    }
    case 'delete':
      return sql`delete from ${name}
where ${whereKey(change.key)}`
    default:
      return change satisfies never
  }
}

const rowOf = (table: DataTable): SqlFragment => {
  const scope: Scope = { alias: null, relation: table }
  return sql`${textsOf(scope, table.rowId)} as key, ${textsOf(scope, shownColumns(table))} as values`
}

/** A change as it is sent: it answers the row's key and values as they are then, a deleted row's as they were. */
export const changeStatement = (table: DataTable, change: RowChange): Statement =>
  compile(sql`${renderChange(table, change)}
returning ${rowOf(table)}`)

/** Reads a row, and keeps others from changing it until the transaction ends. */
export function lockStatement(table: DataTable, key: Values): Statement {
  // Rows of a view may be of several tables, or of none that can be locked.
  const lock = table.kind === 'view' ? sql`` : sql` for update`
  return compile(sql`select ${rowOf(table)} from ${qualified(table)} where ${whereKey(key)}${lock}`)
}
