import Fastify, { type FastifyInstance } from 'fastify'
import { createThreads } from '../src/engines/threads/index.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import type { Caller, Identity } from '../src/ground/model/caller.ts'
import type { RequestContext } from '../src/ground/model/request.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import { createRest, type Rest, restPlugin, restSettings } from '../src/services/rest/index.ts'
import type { TestDatabase } from './harness.ts'

export interface RestApp {
  readonly app: FastifyInstance
  readonly rest: Rest
  /** What the last requests did, oldest first. */
  readonly contexts: RequestContext[]
  close(): Promise<void>
}

/** A caller as the gateway would have found it: the role, or `role sub` for a user's token. */
export function callerOf(token: string): Caller {
  const [role = 'anon', sub = null] = token.split(' ')
  const claims = sub === null ? { role } : { role, sub }
  return { role, claims, claimsJson: JSON.stringify(claims), userId: sub, authSessionId: null }
}

const identityOf = (authorization: string | undefined): Identity => {
  const token = authorization?.replace(/^Bearer /, '').replace('_', ' ') ?? 'anon'
  if (token === 'expired') return { kind: 'refused', problem: { kind: 'expired' } }
  if (token === 'broken') return { kind: 'refused', problem: { kind: 'malformed', parts: 2 } }
  return { kind: 'caller', caller: callerOf(token.replace('service role', 'service_role')), token }
}

/**
 * The REST plugin under `/rest/v1`, as the gateway mounts it. `Authorization: Bearer authenticated_<uuid>` is that
 * user, `Bearer service_role` the service.
 */
export async function openRestApp(
  db: TestDatabase,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<RestApp> {
  const { values, problems } = readSettings(restSettings, [{ name: (name) => name, values: settings }])
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  const threads = createThreads()
  const rest = await createRest({
    threads,
    session: db.session,
    sql: db.authenticator,
    listen: db.listen,
    settings: values,
    loginRole: 'authenticator',
    now: () => new Date(),
    log: { warn: (line) => console.warn(line) },
  })
  const app = Fastify()
  const contexts: RequestContext[] = []
  app.decorateRequest('requestContext', null)
  app.addHook('onRequest', async (request) => {
    const [path = '', query = ''] = request.url.split('?')
    const context: RequestContext = {
      id: uuidv7(),
      startedAt: new Date(),
      method: request.method,
      path,
      query,
      headers: request.headers,
      remoteAddress: request.ip,
      identity: identityOf(request.headers.authorization),
      tag: null,
      signal: new AbortController().signal,
      causeId: null,
      statements: [],
      errorCode: null,
      rows: null,
    }
    contexts.push(context)
    request.setDecorator('requestContext', context)
  })
  await app.register(restPlugin(rest, { exposedHeaders: ['x-request-id'] }), { prefix: '/rest/v1' })
  return {
    app,
    rest,
    contexts,
    async close() {
      await app.close()
      await rest.close()
      await threads.close()
    },
  }
}
