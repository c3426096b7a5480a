import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'
import { type KeySet, type SigningAlgorithm, signingAlgorithms } from '../../../ground/jwt/keys.ts'
import { type OperatorActions, operatorOf } from '../../../ground/model/operator-actions.ts'
import { mailKinds } from '../mails/kinds.ts'
import { type KeyUses, keyNames } from './key-uses.ts'
import type { AuthSetup } from './setup.ts'

const tags = ['auth']
const Kind = Type.Enum([...mailKinds])
/** Of a value in the audit log. */
const auditedCharacters = 400
const KindParams = Type.Object({ kind: Kind })

const SetupAnswer = Type.Object(
  {
    settings: Type.Array(
      Type.Object({
        name: Type.String({ description: 'As `clew.toml` spells it, in `[auth]`' }),
        environment: Type.String(),
        group: Type.String(),
        description: Type.String(),
        value: Nullable(Type.String(), { description: 'As JSON; null for a secret, and where there is none' }),
        isSecret: Type.Boolean(),
        isSet: Type.Boolean(),
        from: Nullable(Type.String(), { description: 'Where it was said; null for the default' }),
        form: Type.Object({
          kind: Type.Enum(['boolean', 'number', 'choice', 'list', 'table', 'text']),
          choices: Type.Array(Type.String()),
          allowed: Type.String({ description: 'In words' }),
        }),
        pinned: Nullable(Type.String(), { description: 'Why the console does not write it; null where it does' }),
        waiting: Nullable(Type.String(), {
          description: 'The value of the next start as JSON, `null` for the default; null where it is that of now',
        }),
        line: Type.String({ description: 'For `clew.toml`' }),
      }),
    ),
    providers: Type.Array(
      Type.Object({
        name: Type.String(),
        enabled: Type.Boolean(),
        redirectUri: Type.String({ description: 'To be named at the provider' }),
        clientId: Nullable(Type.String()),
        hasSecret: Type.Boolean(),
        missing: Nullable(Type.String(), { description: 'What is missing until users can sign in with it' }),
      }),
    ),
    mails: Type.Array(
      Type.Object({
        kind: Kind,
        enabled: Type.Boolean(),
        source: Type.String({ description: '`built-in`, `setting`, or the file or address of its HTML' }),
        prefix: Type.String({ description: 'Of its settings' }),
      }),
    ),
    hasMailHook: Type.Boolean({ description: 'Whether a hook words and sends mails in place of these texts' }),
    keys: Type.Array(Type.Object({ kid: Type.String(), algorithm: Type.String(), signs: Type.Boolean() }), {
      description: 'Keys of tokens: one signs, all verify',
    }),
    apiKeys: Type.Array(
      Type.Object({
        name: Type.Enum([...keyNames]),
        lastUsedAt: Nullable(Instant, { description: 'To the minute; null where it was never used' }),
      }),
    ),
    publishableKey: Type.String(),
  },
  { $id: 'AuthSetup' },
)

/** What the console's part of the set-up needs. */
export interface SetupRoutesDeps {
  readonly setup: AuthSetup
  readonly keys: KeySet
  readonly publishableKey: string
  readonly keyUses: KeyUses
  /** Makes a new key to sign tokens with, in every process; those before it go on verifying. @returns its `kid` */
  readonly rotateKeys: (algorithm: SigningAlgorithm) => Promise<string>
  readonly actions: OperatorActions
}

/** How sign-in is set up: for owners and developers, who send test mails to themselves alone. */
export function setupRoutes(deps: SetupRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    readRoutes(app, deps)
    changeRoutes(app, deps)
    mailRoutes(app, deps)
  }
}

type App = Parameters<FastifyPluginAsyncTypebox>[0]

function readRoutes(app: App, { setup, keys, publishableKey, keyUses, actions }: SetupRoutesDeps): void {
  const settings = {
    operationId: 'authSetup',
    tags,
    summary: 'Settings, providers, mails and keys of sign-in; secrets are not among them',
    response: { 200: SetupAnswer },
  }
  app.get('/auth/setup', { schema: settings }, async (request) => {
    actions.check(request, 'read data')
    const used = await keyUses.last()
    return {
      settings: (await setup.settings()).map(({ form, ...setting }) => ({
        ...setting,
        form: { ...form, choices: [...form.choices] },
      })),
      providers: [...setup.providers()],
      mails: [...setup.mails()],
      hasMailHook: setup.hasMailHook,
      keys: keys.jwks.keys.map(({ kid = '', alg = '' }) => ({
        kid,
        algorithm: alg,
        signs: kid === keys.signing.kid,
      })),
      apiKeys: keyNames.map((name) => ({ name, lastUsedAt: used.get(name)?.toISOString() ?? null })),
      publishableKey,
    }
  })
}

function changeRoutes(app: App, { setup, rotateKeys, actions }: SetupRoutesDeps): void {
  const change = {
    operationId: 'changeAuthSetting',
    tags,
    summary: 'Write a setting of sign-in into clew.toml; it holds from the next start on',
    params: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }),
    body: Type.Object({
      value: Nullable(Type.String({ minLength: 1, maxLength: 20_000 }), {
        description: 'As the environment would have it; null for the default',
      }),
    }),
    response: { 204: Type.Null() },
  }
  app.put('/auth/setup/settings/:name', { schema: change }, async (request, reply) => {
    const { name } = request.params
    const { value } = request.body
    const target = value === null ? `${name}: the default` : `${name} = ${value.slice(0, auditedCharacters)}`
    await actions.run(request, { name: 'auth.setting', target }, () => setup.change(name, value))
    return reply.code(204).send(null)
  })

  const rotation = {
    operationId: 'rotateTokenKeys',
    tags,
    summary: 'Make a new key that signs tokens; those before it go on verifying',
    body: Type.Object({ algorithm: Type.Enum([...signingAlgorithms]) }),
    response: { 200: Type.Object({ kid: Type.String() }) },
  }
  app.post('/auth/setup/keys/rotation', { schema: rotation }, async (request) => {
    const { algorithm } = request.body
    const action = { name: 'auth.rotate_keys', target: algorithm, right: 'protect', needsProof: true } as const
    return { kid: await actions.run(request, action, () => rotateKeys(algorithm)) }
  })
}

function mailRoutes(app: App, { setup, actions }: SetupRoutesDeps): void {
  const redirect = {
    operationId: 'tryRedirect',
    tags,
    summary: 'Where a link leads that asks for this address',
    body: Type.Object({ url: Type.String({ maxLength: 4096 }) }),
    response: { 200: Type.Object({ isAllowed: Type.Boolean(), leadsTo: Type.String() }) },
  }
  app.post('/auth/setup/redirect', { schema: redirect }, async (request) => {
    actions.check(request, 'read data')
    return setup.redirect(request.body.url)
  })

  const preview = {
    operationId: 'previewMail',
    tags,
    summary: 'A mail as it would be sent, with an example’s data',
    params: KindParams,
    response: { 200: Type.Object({ subject: Type.String(), html: Type.String(), text: Type.String() }) },
  }
  app.get('/auth/setup/mails/:kind', { schema: preview }, async (request) => {
    actions.check(request, 'read data')
    return setup.preview(request.params.kind, operatorOf(request))
  })

  const test = {
    operationId: 'sendTestMail',
    tags,
    summary: 'Send an example of a mail to yourself',
    params: KindParams,
    response: { 200: Type.Object({ to: Type.String() }) },
  }
  app.post('/auth/setup/mails/:kind/test', { schema: test }, async (request) => {
    const { kind } = request.params
    const to = operatorOf(request)
    await actions.run(request, { name: 'mail.test', target: `mail ${kind} to ${to}` }, () => setup.sendTest(kind, to))
    return { to }
  })
}
