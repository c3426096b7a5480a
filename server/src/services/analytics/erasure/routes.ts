import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import type { Erasures } from './erasures.ts'
import type { ErasureRow } from './store.ts'

type ConsoleApp = Parameters<FastifyPluginAsyncTypebox>[0]

const Withdrawal = Type.Object(
  {
    id: Type.String(),
    ids: Type.Integer({ description: 'How many distinct ids' }),
    state: Type.Union([Type.Literal('waiting'), Type.Literal('running'), Type.Literal('done')]),
    stepsDone: Type.Integer(),
    steps: Type.Integer({ description: '0 before it begins' }),
    createdAt: Instant,
    endedAt: Nullable(Instant),
    error: Nullable(Type.String(), { description: 'Of the last attempt; it is tried again' }),
  },
  { $id: 'Withdrawal' },
)

const toWithdrawal = (row: ErasureRow): Static<typeof Withdrawal> => ({
  ...{ id: row.id, ids: row.id_count },
  ...{ state: row.state, stepsDone: row.steps_done, steps: row.steps },
  ...{ createdAt: row.created_at.toISOString(), endedAt: row.ended_at?.toISOString() ?? null, error: row.error },
})

const listRoute = {
  operationId: 'withdrawals',
  tags: ['privacy'],
  summary: 'Removals of what was stored of visitors who withdrew their consent, the newest first',
  querystring: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }) }),
  response: { 200: Type.Object({ withdrawals: Type.Array(Withdrawal) }) },
}

/** Withdrawals of consent in the console: who may look sees them. */
export function withdrawalRoutes(app: ConsoleApp, erasures: Erasures, actions: OperatorActions): void {
  app.get('/privacy/withdrawals', { schema: listRoute }, async (request) => {
    actions.check(request, 'look')
    return { withdrawals: (await erasures.list(request.query.limit)).map(toWithdrawal) }
  })
}
