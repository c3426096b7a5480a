import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { join, sql } from '../../../ground/sql/sql.ts'
import { qualified, quoted, type Scope } from '../render/names.ts'
import { checkKey } from './changes/check.ts'
import { TableParams, TextValues } from './schemas.ts'
import type { DataTable, Tables } from './table-catalogue.ts'
import { type TextValues as Texts, textsOf } from './text-values.ts'

interface RevealDeps {
  /** Reads as the application's owner. */
  readonly reader: Pick<Sql, 'query'>
  readonly tables: Tables
}

const Revealed = Type.Object({ rows: Type.Array(Type.Object({ key: TextValues, values: TextValues })) })

/** Values of masked columns, for those who decide what is masked; each look is in the audit log. */
export function revealRoutes({ reader, tables }: RevealDeps, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    const ofReveal = {
      ...{ operationId: 'revealRows', tags: ['data'], summary: 'The masked values of some rows' },
      params: TableParams,
      body: Type.Object({ keys: Type.Array(TextValues, { minItems: 1, maxItems: 1000 }) }),
      response: { 200: Revealed },
    }
    app.post('/data/:schema/:table/reveal', { schema: ofReveal }, async (request) => {
      actions.check(request, 'protect')
      const { keys } = request.body
      const table = await tables.get(request.params.schema, request.params.table)
      for (const key of keys) checkKey(table, key)
      const target = describeReveal(table, keys)
      return actions.run(request, { name: 'rows.reveal', target, right: 'protect' }, async () => ({
        rows: [...(await reader.query<{ key: Texts; values: Texts }>(revealStatement(table, keys))).rows],
      }))
    })
  }
}

const mostNamed = 5

/** Whose values were shown, as the audit log keeps it: `public.users id=7: email, phone`. */
function describeReveal({ schema, name, masked }: DataTable, keys: readonly Texts[]): string {
  const named = keys
    .slice(0, mostNamed)
    .map((key) => Object.entries(key).map(([column, value]) => `${column}=${value}`))
    .map((parts) => parts.join(' '))
  const more = keys.length > mostNamed ? ` and ${keys.length - mostNamed} more` : ''
  return `${schema}.${name} ${named.join(', ')}${more}: ${[...masked].join(', ')}`
}

function revealStatement(table: DataTable, keys: readonly Texts[]): Statement {
  const scope: Scope = { alias: null, relation: table }
  const isOne = join(
    keys.map(
      (key) =>
        sql`(${join(
          Object.entries(key).map(([column, value]) => sql`${quoted(column)} = ${value}`),
          ' and ',
        )})`,
    ),
    ' or ',
  )
  return compile(sql`
    select ${textsOf(scope, table.rowId)} as key, ${textsOf(scope, [...table.masked])} as values
    from ${qualified(table)}
    where ${isOne}`)
}
