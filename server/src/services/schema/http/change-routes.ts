import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Nullable } from '../../../ground/http/schemas.ts'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import { SchemaChange } from '../change/change.ts'
import type { SchemaChanges } from '../change/changes.ts'
import { statementsOf } from '../change/statements.ts'

const tags = ['schema']
/** Of the statements in the audit log. */
const auditedCharacters = 4_000

const changes = Type.Array(SchemaChange, { minItems: 1, maxItems: 200 })

const SchemaPlan = Type.Object(
  {
    name: Type.String({ description: 'Of the migration' }),
    statements: Type.Array(Type.String()),
    effects: Type.Array(Type.Object({ tone: Type.Enum(['info', 'warn']), text: Type.String() })),
  },
  { $id: 'SchemaPlan', description: 'What changes would be, and what they would do beside' },
)

const AppliedChange = Type.Object(
  {
    version: Type.String({ description: 'Of the migration' }),
    name: Type.String(),
    path: Nullable(Type.String(), { description: 'Its file, from the project folder; null where none is written' }),
  },
  { $id: 'AppliedSchemaChange' },
)

/** Changes of the schema by owners and developers; the audit log has their SQL. */
export function changeRoutes(schemaChanges: SchemaChanges, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    const plan = {
      operationId: 'planSchemaChanges',
      tags,
      summary: 'The statements of changes, and what they would do to rows and to those who wait',
      body: Type.Object({ changes }),
      response: { 200: SchemaPlan },
    }
    app.post('/schema/plan', { schema: plan }, async (request) => {
      actions.check(request, 'change')
      const { name, statements, effects } = await schemaChanges.plan(request.body.changes)
      return { name, statements: [...statements], effects: [...effects] }
    })

    const apply = {
      operationId: 'applySchemaChanges',
      tags,
      summary: 'Make changes in one transaction, recorded as a migration',
      body: Type.Object({
        changes,
        name: Nullable(Type.String({ minLength: 1, maxLength: 80 }), {
          description: 'Of the migration; null for one by the first change',
        }),
      }),
      response: { 200: AppliedChange },
    }
    app.post('/schema/changes', { schema: apply }, (request) => {
      const { body } = request
      actions.check(request, 'change')
      const target = statementsOf(body.changes).join(';\n').slice(0, auditedCharacters)
      return actions.run(request, { name: 'schema.change', target }, () => schemaChanges.apply(body.changes, body.name))
    })
  }
}
