import { empty, identifier, join, type SqlFragment, sql, written } from '../../../ground/sql/sql.ts'
import type { ChangeOf } from './change.ts'
import { cascadeOf } from './column-statements.ts'

type ObjectChange = ChangeOf<
  | 'create enum'
  | 'add label'
  | 'rename label'
  | 'drop enum'
  | 'create domain'
  | 'drop domain'
  | 'create extension'
  | 'drop extension'
  | 'create schema'
  | 'create role'
  | 'drop role'
  | 'publish table'
>

/** The statements of a change of what is no table: types, extensions, schemas, roles, publications. */
export function objectStatements(change: ObjectChange): readonly SqlFragment[] {
  switch (change.kind) {
    case 'create enum':
      return [
        sql`create type ${identifier(change.schema, change.name)} as enum (${join(change.labels.map((label) => sql`${label}`))})`,
      ]
    case 'add label': {
      const place = change.before === null ? empty : sql` before ${change.before}`
      return [sql`alter type ${identifier(change.schema, change.name)} add value ${change.label}${place}`]
    }
    case 'rename label':
      return [sql`alter type ${identifier(change.schema, change.name)} rename value ${change.label} to ${change.to}`]
    case 'drop enum':
      return [sql`drop type ${identifier(change.schema, change.name)}${cascadeOf(change.cascade)}`]
    case 'create domain':
      return [createdDomain(change)]
    case 'drop domain':
      return [sql`drop domain ${identifier(change.schema, change.name)}${cascadeOf(change.cascade)}`]
    case 'create extension': {
      const place = change.schema === null ? empty : sql` with schema ${identifier(change.schema)}`
      return [sql`create extension if not exists ${identifier(change.name)}${place}`]
    }
    case 'drop extension':
      return [sql`drop extension ${identifier(change.name)}${cascadeOf(change.cascade)}`]
    case 'create schema':
      return [sql`create schema ${identifier(change.name)}`]
    case 'create role':
      return createdRole(change)
    case 'drop role':
      return [sql`drop role ${identifier(change.name)}`]
    case 'publish table': {
      const action = change.published ? sql`add` : sql`drop`
      return [
        sql`alter publication ${identifier(change.publication)} ${action} table ${identifier(change.schema, change.table)}`,
      ]
    }
  }
}

function createdDomain({ schema, name, type, nullable, check, ...domain }: ChangeOf<'create domain'>): SqlFragment {
  const parts = [
    sql`create domain ${identifier(schema, name)} as ${written(type)}`,
    ...(domain.default === null ? [] : [sql`default ${written(domain.default)}`]),
    ...(nullable ? [] : [sql`not null`]),
    ...(check === null ? [] : [sql`check (${written(check)})`]),
  ]
  return join(parts, ' ')
}

/** A role that does not log in: requests become it by their token, once the role that they log in as is a member. */
function createdRole({ name, memberOf, bypassesRowSecurity }: ChangeOf<'create role'>): readonly SqlFragment[] {
  return [
    sql`create role ${identifier(name)} nologin${bypassesRowSecurity ? sql` bypassrls` : empty}`,
    ...(memberOf.length === 0
      ? []
      : [sql`grant ${join(memberOf.map((role) => identifier(role)))} to ${identifier(name)}`]),
    sql`grant ${identifier(name)} to authenticator`,
  ]
}
