import { empty, identifier, type SqlFragment, sql, written } from '../../../ground/sql/sql.ts'
import type { ChangeOf } from './change.ts'
import { cascadeOf } from './column-statements.ts'

type ViewChange = ChangeOf<'create view' | 'create materialized view' | 'drop view'>

/** The statements of a change of a view. */
export function viewStatements(change: ViewChange): readonly SqlFragment[] {
  switch (change.kind) {
    case 'create view':
      return [createdView(change)]
    case 'create materialized view':
      return [sql`create materialized view ${identifier(change.schema, change.name)} as\n${queryOf(change.query)}`]
    case 'drop view': {
      const { schema, table, materialized, cascade } = change
      return [
        sql`drop ${materialized ? sql`materialized ` : empty}view ${identifier(schema, table)}${cascadeOf(cascade)}`,
      ]
    }
  }
}

/** Without the option a view that is replaced keeps the one that it has: it is always said. */
function createdView({ schema, name, query, securityInvoker, replace }: ChangeOf<'create view'>): SqlFragment {
  const how = sql`with (security_invoker = ${securityInvoker ? sql`on` : sql`off`})`
  return sql`create ${replace ? sql`or replace ` : empty}view ${identifier(schema, name)} ${how} as\n${queryOf(query)}`
}

const queryOf = (query: string): SqlFragment => written(query.trim().replace(/;$/, ''))
