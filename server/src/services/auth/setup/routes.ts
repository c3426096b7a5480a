import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'
import { type ApiKeys, apiKeyId, opaqueKeyNames } from '../../../ground/jwt/api-keys.ts'
import { type KeySet, signingAlgorithms } from '../../../ground/jwt/keys.ts'
import type { KeyRotation } from '../../../ground/jwt/rotation.ts'
import { type OperatorActions, operatorOf } from '../../../ground/model/operator-actions.ts'
import { SettingForm } from '../../../ground/settings/form.ts'
import { mailKinds } from '../mails/kinds.ts'
import { setupError } from './errors.ts'
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
        form: SettingForm,
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
        id: Type.String({ description: 'Names the key and does not tell it' }),
        lastUsedAt: Nullable(Instant, { description: 'To the minute; null where it was never used' }),
        replacedAt: Nullable(Instant, { description: 'When another took its place; null for the one that counts' }),
        pinned: Nullable(Type.String(), { description: 'Why it is not rotated here; null where it is' }),
      }),
      { description: 'Those that are accepted: an earlier one until it is revoked' },
    ),
    publishableKey: Type.String(),
  },
  { $id: 'AuthSetup' },
)

/** What the console's part of the set-up needs. */
export interface SetupRoutesDeps {
  readonly setup: AuthSetup
  readonly keys: KeySet
  readonly apiKeys: ApiKeys
  readonly keyUses: KeyUses
  readonly rotation: KeyRotation
  readonly actions: OperatorActions
}

/** How sign-in is set up: for owners and developers, who send test mails to themselves alone. */
export function setupRoutes(deps: SetupRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    readRoutes(app, deps)
    changeRoutes(app, deps)
    keyRoutes(app, deps)
    mailRoutes(app, deps)
  }
}

type App = Parameters<FastifyPluginAsyncTypebox>[0]

function readRoutes(app: App, deps: SetupRoutesDeps): void {
  const { setup, keys, apiKeys, actions } = deps
  const settings = {
    operationId: 'authSetup',
    tags,
    summary: 'Settings, providers, mails and keys of sign-in; secrets are not among them',
    response: { 200: SetupAnswer },
  }
  app.get('/auth/setup', { schema: settings }, async (request) => {
    actions.check(request, 'read data')
    return {
      settings: [...(await setup.settings())],
      providers: [...setup.providers()],
      mails: [...setup.mails()],
      hasMailHook: setup.hasMailHook,
      keys: keys.jwks.keys.map(({ kid = '', alg = '' }) => ({
        kid,
        algorithm: alg,
        signs: kid === keys.signing.kid,
      })),
      apiKeys: await listApiKeys(deps),
      publishableKey: apiKeys.publishableKey,
    }
  })
}

/** The keys that are accepted, without the keys themselves. */
async function listApiKeys({ apiKeys, keyUses, rotation }: Pick<SetupRoutesDeps, 'apiKeys' | 'keyUses' | 'rotation'>) {
  const { publishableKey, secretKey, anonKey, serviceRoleKey, earlierKeys } = apiKeys
  const used = await keyUses.last()
  const render = (name: (typeof keyNames)[number], key: string, replacedAt: Date | null) => ({
    ...{ name, id: apiKeyId(key), replacedAt: replacedAt?.toISOString() ?? null },
    lastUsedAt: used.get(apiKeyId(key))?.toISOString() ?? null,
    pinned: name === 'publishable' || name === 'secret' ? rotation.pinned(name) : null,
  })
  return [
    render('publishable', publishableKey, null),
    render('secret', secretKey, null),
    render('anon', anonKey, null),
    render('service_role', serviceRoleKey, null),
    ...earlierKeys.map(({ name, key, replacedAt }) => render(name, key, replacedAt)),
  ]
}

function changeRoutes(app: App, { setup, rotation, actions }: SetupRoutesDeps): void {
  const change = {
    operationId: 'changeAuthSetting',
    tags,
    summary: 'Write a setting of sign-in into clew.toml; it holds from the next start on',
    params: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }),
    body: Type.Object({
      value: Nullable(Type.String({ minLength: 1, maxLength: 20_000 }), {
        description: 'As the environment would have it; null for the default',
      }),
      replaces: Nullable(Type.String(), {
        description: 'The value that it replaces: `waiting` of the setting, else its `value`',
      }),
    }),
    response: { 204: Type.Null() },
  }
  app.put('/auth/setup/settings/:name', { schema: change }, async (request, reply) => {
    const { name } = request.params
    const { value, replaces } = request.body
    const target = value === null ? `${name}: the default` : `${name} = ${value.slice(0, auditedCharacters)}`
    await actions.run(request, { name: 'auth.setting', target }, () =>
      setup.change(name, { text: value, replaces }, operatorOf(request)),
    )
    return reply.code(204).send(null)
  })

  const rotateTokens = {
    operationId: 'rotateTokenKeys',
    tags,
    summary: 'Make a new key that signs tokens; those before it go on verifying',
    body: Type.Object({ algorithm: Type.Enum([...signingAlgorithms]) }),
    response: { 200: Type.Object({ kid: Type.String() }) },
  }
  app.post('/auth/setup/keys/rotation', { schema: rotateTokens }, async (request) => {
    const { algorithm } = request.body
    const action = { name: 'auth.rotate_keys', target: algorithm, right: 'protect', needsProof: true } as const
    return { kid: await actions.run(request, action, () => rotation.tokens(algorithm)) }
  })
}

function keyRoutes(app: App, { rotation, actions }: SetupRoutesDeps): void {
  const rotate = {
    operationId: 'rotateApiKey',
    tags,
    summary: 'Make a new key of the API; the one before it is accepted until it is revoked',
    body: Type.Object({ name: Type.Enum([...opaqueKeyNames]) }),
    response: {
      200: Type.Object({ key: Type.String({ description: 'Told this once; `clew keys` tells it on the machine' }) }),
    },
  }
  app.post('/auth/setup/api-keys/rotation', { schema: rotate }, async (request) => {
    const { name } = request.body
    const action = { name: 'auth.rotate_api_key', target: `${name} key`, right: 'protect', needsProof: true } as const
    const perform = async () => {
      const pinned = rotation.pinned(name)
      if (pinned !== null) throw setupError('CLEW_AUTH_KEY_PINNED', { message: pinned })
      return rotation.api(name)
    }
    return { key: await actions.run(request, action, perform) }
  })

  const revoke = {
    operationId: 'revokeApiKey',
    tags,
    summary: 'Accept an earlier key of the API no more',
    params: Type.Object({ id: Type.String({ pattern: '^[0-9a-f]{16}$' }) }),
    response: { 204: Type.Null() },
  }
  app.delete('/auth/setup/api-keys/:id', { schema: revoke }, async (request, reply) => {
    const { id } = request.params
    const action = { name: 'auth.revoke_api_key', target: `key ${id}`, right: 'protect', needsProof: true } as const
    await actions.run(request, action, async () => {
      if (!(await rotation.revoke(id))) throw setupError('CLEW_AUTH_KEY_NOT_FOUND')
    })
    return reply.code(204).send(null)
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
