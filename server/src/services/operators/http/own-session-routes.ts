import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { AccessRoutesDeps } from './access-routes-deps.ts'
import { IdParams, Instant, tags } from './access-schemas.ts'
import { Empty, Nullable } from './schemas.ts'

const AccessSchema = Type.Object({
  sessions: Type.Array(
    Type.Object({
      id: Type.String(),
      userAgent: Type.String(),
      address: Type.String(),
      createdAt: Instant,
      lastSeenAt: Instant,
      isCurrent: Type.Boolean(),
    }),
  ),
  totpSince: Nullable(Instant),
  passkeys: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), createdAt: Instant, lastUsedAt: Nullable(Instant) }),
  ),
  recoveryCodesLeft: Type.Integer(),
})

/** The overview of sessions and factors, and the end of sessions. */
export function ownSessionRoutes({ access, currentSession }: AccessRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/access',
      {
        schema: {
          operationId: 'getAccess',
          tags,
          summary: 'Sessions and second factors',
          response: { 200: AccessSchema },
        },
      },
      async (request) => {
        const current = await currentSession(request)
        const { totp, passkeys, recoveryCodes } = await access.factors(current)
        const sessions = await access.sessions.list(current)
        return {
          sessions: sessions.map(({ id, userAgent, address, createdAt, lastSeenAt }) => ({
            id,
            userAgent,
            address,
            createdAt: createdAt.toISOString(),
            lastSeenAt: lastSeenAt.toISOString(),
            isCurrent: id === current.id,
          })),
          totpSince: totp?.confirmedAt?.toISOString() ?? null,
          passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
            id,
            name,
            createdAt: createdAt.toISOString(),
            lastUsedAt: lastUsedAt?.toISOString() ?? null,
          })),
          recoveryCodesLeft: recoveryCodes,
        }
      },
    )

    app.delete(
      '/access/sessions/:id',
      {
        schema: {
          operationId: 'endSession',
          tags,
          summary: 'End one session',
          params: IdParams,
          response: { 204: Empty },
        },
      },
      async (request, reply) => {
        await access.sessions.end(await currentSession(request), request.params.id)
        return reply.code(204).send(null)
      },
    )

    app.delete(
      '/access/sessions',
      {
        schema: {
          operationId: 'endOtherSessions',
          tags,
          summary: 'End every other session',
          response: { 204: Empty },
        },
      },
      async (request, reply) => {
        await access.sessions.endOthers(await currentSession(request))
        return reply.code(204).send(null)
      },
    )
  }
}
