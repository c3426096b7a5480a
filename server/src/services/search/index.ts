import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { createSearch, hitKinds, type SearchDeps } from './search.ts'

export type { SearchSource } from './search.ts'

const HitSchema = Type.Object(
  {
    id: Type.String({ description: 'Of a row: its key' }),
    title: Type.String(),
    detail: Type.Union([Type.String(), Type.Null()]),
    table: Type.Optional(
      Type.Object(
        { schema: Type.String(), name: Type.String(), column: Type.String() },
        { description: 'Of a row, with the column of its key' },
      ),
    ),
  },
  { $id: 'SearchHit' },
)

/** One question of the console's search box to all rooms; each operator finds what their role may see. */
export function searchRoutes(deps: SearchDeps, actions: OperatorActions): FastifyPluginAsyncTypebox {
  const search = createSearch(deps)
  return async (app) => {
    const schema = {
      ...{ operationId: 'search', tags: ['search'] },
      summary: 'What a text names: requests, people, users, sessions and rows that the operator may see',
      querystring: Type.Object({
        q: Type.String({ minLength: 1, maxLength: 200, pattern: '^\\P{Cc}*[^\\s\\p{Cc}]\\P{Cc}*$' }),
      }),
      response: {
        200: Type.Object({
          groups: Type.Array(Type.Object({ kind: Type.Enum([...hitKinds]), hits: Type.Array(HitSchema) })),
          missed: Type.Array(Type.Enum([...hitKinds]), { description: 'Not looked through in time' }),
        }),
      },
    }
    app.get('/search', { schema }, async (request) => {
      actions.check(request, 'look')
      const { groups, missed } = await search(request.query.q.trim(), (right) => actions.may(request, right))
      return { groups: groups.map(({ kind, hits }) => ({ kind, hits: [...hits] })), missed: [...missed] }
    })
  }
}

/** The console's search. */
export const searchService = ({ actions, ...deps }: SearchDeps & { readonly actions: OperatorActions }) => ({
  console: [searchRoutes(deps, actions)],
})
