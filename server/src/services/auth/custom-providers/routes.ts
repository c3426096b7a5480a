import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callOf, callWithBody, queryOf, send } from '../http/edge.ts'
import type { Redirects } from '../http/redirect.ts'
import type { CustomProviders } from './custom-providers.ts'

/** The routes of custom providers. */
export interface CustomProviderRoutesDeps {
  readonly customProviders: CustomProviders
  readonly redirects: Redirects
}

/** The addresses of the administration of custom providers (auth §18). */
export function customProviderRoutes(
  app: FastifyInstance,
  { customProviders, redirects }: CustomProviderRoutesDeps,
): void {
  const bare = (request: FastifyRequest) => callOf(redirects, request, {})
  const all = '/admin/custom-providers'
  const one = `${all}/:identifier`
  type One = { Params: { identifier: string } }
  app.get(all, async (request, reply) =>
    send(reply, await customProviders.list(bare(request), queryOf(request).get('type') ?? '')),
  )
  app.post(all, async (request, reply) => send(reply, await customProviders.create(callWithBody(redirects, request))))
  app.get<One>(one, async (request, reply) =>
    send(reply, await customProviders.get(bare(request), request.params.identifier)),
  )
  app.put<One>(one, async (request, reply) =>
    send(reply, await customProviders.change(callWithBody(redirects, request), request.params.identifier)),
  )
  app.delete<One>(one, async (request, reply) =>
    send(reply, await customProviders.remove(bare(request), request.params.identifier)),
  )
}
