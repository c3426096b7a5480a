import { constant, empty, identifier, join, type SqlFragment, sql, written } from '../../../ground/sql/sql.ts'
import type { ChangeOf } from './change.ts'
import { cascadeOf, columnDefinition, commentOfColumn, commentOn, nameList } from './column-statements.ts'

type TableChange = ChangeOf<
  'create table' | 'rename table' | 'comment table' | 'drop table' | 'row security' | 'create index' | 'drop index'
>

/** The statements of a change of a table as a whole, or of its indexes. */
export function tableStatements(change: TableChange): readonly SqlFragment[] {
  switch (change.kind) {
    case 'create table':
      return createdTable(change)
    case 'rename table':
      return [sql`alter table ${identifier(change.schema, change.table)} rename to ${identifier(change.to)}`]
    case 'comment table':
      return [commentOn(sql`table ${identifier(change.schema, change.table)}`, change.comment)]
    case 'drop table':
      return [sql`drop table ${identifier(change.schema, change.table)}${cascadeOf(change.cascade)}`]
    case 'row security':
      return [rowSecurity(change, change.enabled)]
    case 'create index':
      return [createdIndex(change)]
    case 'drop index':
      return [sql`drop index ${identifier(change.schema, change.name)}`]
  }
}

const rowSecurity = ({ schema, table }: { readonly schema: string; readonly table: string }, enabled: boolean) =>
  sql`alter table ${identifier(schema, table)} ${enabled ? sql`enable` : sql`disable`} row level security`

function createdTable(change: ChangeOf<'create table'>): readonly SqlFragment[] {
  const { columns, comment } = change
  const key = columns.filter(({ primaryKey }) => primaryKey).map(({ name }) => name)
  const lines = [
    ...columns.map((column) => columnDefinition(column, key.length === 1 && column.primaryKey)),
    ...(key.length > 1 ? [sql`primary key ${nameList(key)}`] : []),
  ]
  const body = lines.length === 0 ? sql`()` : sql`(\n  ${join(lines, ',\n  ')}\n)`
  return [
    sql`create table ${identifier(change.schema, change.table)} ${body}`,
    ...(change.rowSecurity ? [rowSecurity(change, true)] : []),
    ...(comment === null ? [] : [commentOn(sql`table ${identifier(change.schema, change.table)}`, comment)]),
    ...columns.flatMap((column) =>
      column.comment === null ? [] : [commentOfColumn(change, column.name, column.comment)],
    ),
  ]
}

function createdIndex({ schema, table, name, method, unique, parts, where }: ChangeOf<'create index'>): SqlFragment {
  const named = name === null ? empty : sql`${identifier(name)} `
  const using = method === 'btree' ? empty : sql`using ${constant(method)} `
  const filter = where === null ? empty : sql` where ${written(where)}`
  return sql`create ${unique ? sql`unique ` : empty}index ${named}on ${identifier(schema, table)} ${using}(${join(parts.map(written))})${filter}`
}
