import { constant, empty, identifier, join, type SqlFragment, sql, written } from '../../../ground/sql/sql.ts'
import { schemaError } from '../errors.ts'
import type { ChangeOf } from './change.ts'
import { cascadeOf, columnDefinition, commentOfColumn, commentOn, nameList } from './column-statements.ts'

type TableChange = ChangeOf<
  | 'create table'
  | 'rename table'
  | 'comment table'
  | 'drop table'
  | 'row security'
  | 'grant table'
  | 'create index'
  | 'rebuild index'
  | 'drop index'
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
    case 'grant table':
      return [changedGrant(change)]
    case 'create index':
      return [createdIndex(change)]
    case 'rebuild index':
      return rebuiltIndex(change)
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

/** `public` is every role, and no name of one. */
function changedGrant({ schema, table, role, privileges, granted }: ChangeOf<'grant table'>): SqlFragment {
  const list = join(privileges.map(constant))
  const grantee = role === 'public' ? sql`public` : identifier(role)
  return granted
    ? sql`grant ${list} on ${identifier(schema, table)} to ${grantee}`
    : sql`revoke ${list} on ${identifier(schema, table)} from ${grantee}`
}

/** An index by its definition, in place of one that is not valid. @throws CLEW_SCHEMA_TEXT for another statement */
function rebuiltIndex({ schema, name, definition }: ChangeOf<'rebuild index'>): readonly SqlFragment[] {
  const [, create, rest] = /^(create (?:unique )?index )(?!concurrently)(.+)$/is.exec(definition.trim()) ?? []
  if (create === undefined || rest === undefined) throw schemaError('CLEW_SCHEMA_TEXT')
  return [droppedIndex(schema, name), sql`${written(create.toLowerCase())}concurrently ${written(rest)}`]
}

/** Takes away what a build that was interrupted leaves. */
export const droppedIndex = (schema: string, name: string): SqlFragment =>
  sql`drop index concurrently if exists ${identifier(schema, name)}`

/** The name of an index that is built outside of a transaction: by it, what is left of one that fails is found. */
export function indexNameOf({ table, name, parts }: ChangeOf<'create index'>): string {
  if (name !== null) return name
  const words = [table, ...parts].join(' ').replaceAll(/[^\p{L}\p{N}]+/gu, '_')
  return `${words.slice(0, longestName)}_idx`
}

/** PostgreSQL keeps 63 bytes of a name. */
const longestName = 40

function createdIndex(change: ChangeOf<'create index'>): SqlFragment {
  const { schema, table, method, unique, parts, where, concurrently } = change
  const name = concurrently ? indexNameOf(change) : change.name
  const named = name === null ? empty : sql`${identifier(name)} `
  const using = method === 'btree' ? empty : sql`using ${constant(method)} `
  const filter = where === null ? empty : sql` where ${written(where)}`
  return sql`create ${unique ? sql`unique ` : empty}index ${concurrently ? sql`concurrently ` : empty}${named}on ${identifier(schema, table)} ${using}(${join(parts.map(written))})${filter}`
}
