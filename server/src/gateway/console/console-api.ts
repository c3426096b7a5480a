import fastifySwagger from '@fastify/swagger'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { type Static, Type } from 'typebox'
import { hasLoneSurrogate, hasNul } from '../../ground/http/nul.ts'
import type { EngineHealth } from '../../ground/model/health.ts'
import { gatewayError } from '../errors.ts'
import { notFound } from '../request/not-found.ts'

/** The instance that the console shows, with the public keys for its code snippets. */
export interface InstanceFacts {
  readonly project: string
  readonly mode: 'local' | 'production'
  readonly version: string
  readonly apiUrl: string
  readonly inboxUrl: string | null
  readonly dbUrl: string | null
  readonly exampleUrl: string | null
  readonly publishableKey: string
  readonly anonKey: string
  readonly ingestToken: string
  /** What an instance needs before many people use it, as far as its settings say. */
  readonly readiness: Static<typeof Readiness>
  /** Code to paste into an application. */
  readonly snippets: Readonly<Record<'supabase' | 'posthog' | 'ssr' | 'html', Static<typeof Snippet>>>
  /** Names of the services whose requests the thread records. */
  readonly services: readonly string[]
}

/** What the console’s API is made of. */
export interface Console {
  /** Routes that need no operator: sign-in and set-up. */
  readonly open: FastifyPluginAsync
  /** Refuses requests without an operator's session. */
  readonly guard: onRequestAsyncHookHandler
  /** The services' parts of the API. */
  readonly parts: readonly FastifyPluginAsync[]
  readonly facts: InstanceFacts
  readonly health: () => Promise<readonly EngineHealth[]>
  /** Called when a request that may have changed something was answered with success. */
  readonly changed: () => void
}

const NullableText = Type.Union([Type.String(), Type.Null()])

const Snippet = Type.Object(
  { title: Type.String(), install: NullableText, code: Type.String() },
  { description: 'Code to paste, with this instance’s address and keys' },
)

const Readiness = Type.Object({
  sendsMail: Type.Boolean({ description: 'False: mails stay in the inbox' }),
  hasDomain: Type.Boolean({ description: 'Whether clients come by HTTPS, under a name' }),
  ownKeys: Type.Boolean({ description: 'False: the development keys, which everybody knows' }),
  asksConsent: Type.Boolean({ description: 'Whether only visitors who consented are recorded' }),
})

const Instance = Type.Object(
  {
    project: Type.String(),
    mode: Type.Union([Type.Literal('local'), Type.Literal('production')]),
    version: Type.String(),
    apiUrl: Type.String(),
    inboxUrl: NullableText,
    dbUrl: NullableText,
    exampleUrl: NullableText,
    publishableKey: Type.String(),
    anonKey: Type.String(),
    ingestToken: Type.String(),
    readiness: Readiness,
    snippets: Type.Object({ supabase: Snippet, posthog: Snippet, ssr: Snippet, html: Snippet }),
    services: Type.Array(Type.String(), { description: 'Names of the services whose requests are recorded' }),
    engines: Type.Array(
      Type.Object({
        name: Type.String(),
        state: Type.Union([
          Type.Literal('up'),
          Type.Literal('starting'),
          Type.Literal('down'),
          Type.Literal('degraded'),
          Type.Literal('off'),
        ]),
        detail: Type.String(),
        pid: Type.Union([Type.Integer(), Type.Null()]),
      }),
    ),
  },
  { $id: 'Instance' },
)

/** The console's own API, described by the OpenAPI document at `/console/api/openapi.json`. */
export function consolePlugin({ open, guard, parts, facts, health, changed }: Console): FastifyPluginAsync {
  return async (app) => {
    // The guard sets the signed-in operator.
    app.decorateRequest('operator', null)
    await app.register(fastifySwagger, {
      openapi: { openapi: '3.1.0', info: { title: 'Clew console API', version: facts.version } },
      refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `shape-${index}`) },
    })
    app.setNotFoundHandler(notFound)
    app.addHook('preValidation', refuseUnstorable)
    app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
    await app.register(open)
    await app.register(async (guarded) => {
      // Before a body is read, which a request without a session does not deserve.
      guarded.addHook('onRequest', guard)
      guarded.addHook('onResponse', tellOfChanges(changed))
      guarded.get(
        '/instance',
        {
          schema: { operationId: 'getInstance', tags: ['instance'], response: { 200: Instance } },
          // The command line shows which instance it has signed in to.
          config: { acceptsTokens: true },
        },
        async (): Promise<Static<typeof Instance>> => ({
          ...facts,
          services: [...facts.services],
          engines: [...(await health())],
        }),
      )
      for (const part of parts) await guarded.register(part)
    })
  }
}

/** For both ways to the console's API: screens that others look at are refreshed. */
export const tellOfChanges =
  (changed: () => void) =>
  async ({ method }: FastifyRequest, { statusCode }: FastifyReply): Promise<void> => {
    if (method !== 'GET' && method !== 'HEAD' && statusCode < 400) changed()
  }

function refuseUnstorable(
  { params, query, body }: FastifyRequest,
  _reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const read = isFile(body) ? null : body
  const message = 'Text may have no NUL character.'
  if (hasNul(params, query)) done(gatewayError('CLEW_GATEWAY_BAD_ADDRESS', { message }))
  else if (hasNul(read)) done(gatewayError('CLEW_GATEWAY_BAD_REQUEST', { message }))
  // An address has none: its bytes are decoded as UTF-8.
  else if (hasLoneSurrogate(read))
    done(gatewayError('CLEW_GATEWAY_BAD_REQUEST', { message: 'Text may have no half of a surrogate pair.' }))
  else done()
}

/** Whether a body is bytes, or read as it arrives: it is looked at by the one that reads it. */
const isFile = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && (body instanceof Uint8Array || Symbol.asyncIterator in body)
