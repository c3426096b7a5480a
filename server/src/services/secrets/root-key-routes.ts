import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Instant, Nullable } from '../../ground/http/schemas.ts'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { RootKeyWork } from './root-keys.ts'

const tags = ['secrets']
const Id = Type.String({ pattern: '^[0-9a-f]{16}$' })

const RootKeysAnswer = Type.Object(
  {
    rootKeys: Type.Array(
      Type.Object({
        id: Type.String(),
        isCurrent: Type.Boolean({ description: 'Whether what is new is kept under it' }),
        replacedAt: Nullable(Instant, { description: 'Null for the one that counts' }),
        contents: Type.Array(
          Type.Object({
            name: Type.String(),
            count: Type.Integer(),
            moves: Type.Boolean({
              description: 'Whether it moves to the one that counts by itself; else when it is used',
            }),
          }),
        ),
      }),
    ),
    lost: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() }), {
      description: 'What is under root keys that are no more: none opens or verifies it',
    }),
  },
  { $id: 'RootKeys' },
)

/**
 * Root keys, never their values: what is kept under each, and the end of earlier ones.
 *
 * @param needsProof whether an owner proves their identity first; the command line has no operator who could
 */
export function rootKeyRoutes(
  work: RootKeyWork,
  actions: OperatorActions,
  needsProof: boolean,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    const list = {
      operationId: 'rootKeys',
      tags,
      summary: 'Root keys, and what is kept under each',
      response: { 200: RootKeysAnswer },
    }
    app.get('/secrets/root-keys', { schema: list }, async (request) => {
      actions.check(request, 'read data')
      const { rootKeys, lost } = await work.state()
      return {
        lost: [...lost],
        rootKeys: rootKeys.map(({ replacedAt, contents, ...rootKey }) => ({
          ...rootKey,
          replacedAt: replacedAt?.toISOString() ?? null,
          contents: [...contents],
        })),
      }
    })

    const retire = {
      operationId: 'retireRootKey',
      tags,
      summary: 'Forget an earlier root key',
      params: Type.Object({ id: Id }),
      querystring: Type.Object({
        ends: Type.Boolean({ default: false, description: 'Whether what is still kept under it ends' }),
      }),
      response: { 204: Type.Null() },
    }
    app.delete('/secrets/root-keys/:id', { schema: retire }, async (request, reply) => {
      const { id } = request.params
      const action = { name: 'secret.revoke', target: `root key ${id}`, right: 'protect', needsProof } as const
      await actions.run(request, action, () => work.retire(id, request.query.ends))
      return reply.code(204).send(null)
    })
  }
}
