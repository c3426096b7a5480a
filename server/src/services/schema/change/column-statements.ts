import { constant, empty, identifier, join, type SqlFragment, sql, written } from '../../../ground/sql/sql.ts'
import type { ChangeOf, NewColumn } from './change.ts'

type ColumnChange = ChangeOf<
  | 'add column'
  | 'change column'
  | 'drop column'
  | 'add foreign key'
  | 'add unique'
  | 'add primary key'
  | 'add check'
  | 'drop constraint'
>

/** Names in brackets. */
export const nameList = (names: readonly string[]): SqlFragment => sql`(${join(names.map((name) => identifier(name)))})`

/** ` cascade`, where what depends on a thing goes along. */
export const cascadeOf = (cascade: boolean): SqlFragment => (cascade ? sql` cascade` : empty)

/** A comment on a thing; null takes it away. */
export const commentOn = (thing: SqlFragment, comment: string | null): SqlFragment =>
  sql`comment on ${thing} is ${comment}`

const referenceOf = ({ schema, table, columns, onDelete }: NonNullable<NewColumn['references']>): SqlFragment =>
  sql`references ${identifier(schema, table)} ${nameList(columns)}${onDelete === 'no action' ? empty : sql` on delete ${constant(onDelete)}`}`

/** A column as `create table` and `add column` have it, without what is said of several columns together. */
export function columnDefinition(column: NewColumn, isOnlyKey: boolean): SqlFragment {
  const parts = [
    identifier(column.name),
    written(column.type),
    ...(column.identity === null ? [] : [sql`generated ${constant(column.identity)} as identity`]),
    ...(isOnlyKey ? [sql`primary key`] : []),
    ...(column.nullable || isOnlyKey || column.identity !== null ? [] : [sql`not null`]),
    ...(column.default === null ? [] : [sql`default ${written(column.default)}`]),
    ...(column.unique && !isOnlyKey ? [sql`unique`] : []),
    ...(column.references === null ? [] : [referenceOf(column.references)]),
  ]
  return join(parts, ' ')
}

/** The statements of a change of a table's columns or constraints. */
export function columnStatements(change: ColumnChange): readonly SqlFragment[] {
  const table = identifier(change.schema, change.table)
  const alter = (action: SqlFragment): SqlFragment => sql`alter table ${table} ${action}`
  switch (change.kind) {
    case 'add column': {
      const { column } = change
      return [
        alter(sql`add column ${columnDefinition(column, column.primaryKey)}`),
        ...(column.comment === null ? [] : [commentOfColumn(change, column.name, column.comment)]),
      ]
    }
    case 'change column':
      return changedColumn(change, alter)
    case 'drop column':
      return [alter(sql`drop column ${identifier(change.column)}${cascadeOf(change.cascade)}`)]
    case 'add foreign key':
      return [alter(sql`add foreign key ${nameList(change.columns)} ${referenceOf(change.references)}`)]
    case 'add unique':
      return [alter(sql`add unique ${nameList(change.columns)}`)]
    case 'add primary key':
      return [alter(sql`add primary key ${nameList(change.columns)}`)]
    case 'add check': {
      const name = change.name === null ? empty : sql`constraint ${identifier(change.name)} `
      return [alter(sql`add ${name}check (${written(change.expression)})`)]
    }
    case 'drop constraint':
      return [alter(sql`drop constraint ${identifier(change.name)}${cascadeOf(change.cascade)}`)]
  }
}

/** A column's change, in an order that applies: an old default need not fit the new type, and leaves no place for an identity. */
function changedColumn(
  change: ChangeOf<'change column'>,
  alter: (action: SqlFragment) => SqlFragment,
): readonly SqlFragment[] {
  const { column, to } = change
  const each = (action: SqlFragment | null): readonly SqlFragment[] =>
    action === null ? [] : [alter(sql`alter column ${identifier(column)} ${action}`)]
  const using = to.using === undefined ? empty : sql` using ${written(to.using)}`
  const leavesDefault = to.default === null || (to.default !== undefined && to.type !== undefined)
  return [
    ...each(to.identity === null ? sql`drop identity` : null),
    ...each(leavesDefault ? sql`drop default` : null),
    ...each(to.type === undefined ? null : sql`type ${written(to.type)}${using}`),
    ...each(to.default == null ? null : sql`set default ${written(to.default)}`),
    ...each(to.nullable === undefined ? null : to.nullable ? sql`drop not null` : sql`set not null`),
    ...each(to.identity == null ? null : identityOf(to.identity, change.numbered === true)),
    ...(to.comment === undefined ? [] : [commentOfColumn(change, column, to.comment)]),
    ...(to.name === undefined || to.name === column
      ? []
      : [alter(sql`rename column ${identifier(column)} to ${identifier(to.name)}`)]),
  ]
}

/** A column that is numbered already keeps its numbers. */
const identityOf = (identity: 'always' | 'by default', numbered: boolean): SqlFragment =>
  numbered ? sql`set generated ${constant(identity)}` : sql`add generated ${constant(identity)} as identity`

/** The comment of a column. */
export const commentOfColumn = (
  { schema, table }: { readonly schema: string; readonly table: string },
  column: string,
  comment: string | null,
): SqlFragment => commentOn(sql`column ${identifier(schema, table, column)}`, comment)
