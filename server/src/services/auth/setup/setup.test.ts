import { expect } from 'vitest'
import { startAuth } from '../../../../test/auth-service.ts'
import { consoleApp } from '../../../../test/console-app.ts'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { type OperatorRole, recordedActions } from '../../../../test/operator-actions.ts'
import { apiKeyId, localApiKeys } from '../../../ground/jwt/api-keys.ts'
import type { KeyRotation } from '../../../ground/jwt/rotation.ts'
import type { AuthDeps, AuthSettings } from '../index.ts'
import type { SettingsFile } from './editing.ts'
import { setupRoutes } from './routes.ts'

/** The console's part of the set-up, with an operator who has an address. */
async function open(
  db: TestDatabase,
  given: Partial<AuthSettings> = {},
  role: OperatorRole = 'owner',
  deps: Partial<AuthDeps> = {},
) {
  const { app, auth, inbox, keys } = await startAuth(db, given, deps)
  const { actions, log } = recordedActions(role)
  const rotated: string[] = []
  const replacedAt = new Date('2026-01-01T00:00:00Z')
  const apiKeys = { ...localApiKeys(), earlierKeys: [{ name: 'secret', key: 'sb_secret_before', replacedAt }] as const }
  const rotation: KeyRotation = {
    async tokens(algorithm) {
      rotated.push(algorithm)
      return 'kid-2'
    },
    pinned: (name) => (name === 'publishable' ? 'The setting publishable_key has it: change it there.' : null),
    async api(name) {
      rotated.push(name)
      return 'sb_secret_next'
    },
    async revoke(id) {
      rotated.push(id)
      return id === apiKeyId('sb_secret_before')
    },
  }
  const keyUses = {
    note: () => undefined,
    last: async () => new Map([[apiKeyId(apiKeys.secretKey), new Date('2026-01-02T03:04:00Z')]]),
  }
  const shown = { keys, apiKeys, keyUses, rotation }
  const routes = setupRoutes({ setup: auth.setup, actions, ...shown })
  const askAs = (email: string) =>
    consoleApp(async (part) => {
      part.addHook('onRequest', async (request) => request.setDecorator('operator', { email }))
      await part.register(routes)
    })
  return { ask: await askAs('olga@example.com'), askAs, log, inbox, rotated, close: () => app.close() }
}

test('providers say where they send users back to, and what is missing until users can sign in', async ({ db }) => {
  const { ask, close } = await open(db, {
    externalGithubEnabled: true,
    externalGithubClientId: ['id-of-app'],
    externalGoogleEnabled: true,
    externalGoogleClientId: ['google-app'],
    externalGoogleSecret: 'a secret of google',
  })
  const { body } = await ask('GET', '/auth/setup')
  const of = (name: string) => body.providers.find((provider: { name: string }) => provider.name === name)
  expect(of('github')).toMatchObject({ enabled: true, clientId: 'id-of-app', missing: 'missing OAuth secret' })
  expect(of('google')).toMatchObject({ enabled: true, hasSecret: true, missing: null })
  expect(of('google').redirectUri).toMatch(/\/callback$/)
  expect(of('apple')).toMatchObject({ enabled: false, missing: 'missing OAuth client ID' })
  expect(JSON.stringify(body)).not.toContain('a secret of google')
  await close()
})

test('a setting is listed with its value, and the line that says it', async ({ db }) => {
  const { ask, close } = await open(db, { siteUrl: 'https://shop.test' })
  const { settings, keys } = (await ask('GET', '/auth/setup')).body
  const of = (name: string) => settings.find((setting: { name: string }) => setting.name === name)
  expect(of('site_url')).toMatchObject({
    ...{ group: 'Addresses', environment: 'CLEW_AUTH_SITE_URL', value: '"https://shop.test"' },
    ...{ line: 'site_url = "https://shop.test"', isSecret: false, from: null },
  })
  expect(of('external_github_secret')).toMatchObject({ isSecret: true, isSet: false, value: null })
  expect(keys.filter(({ signs }: { signs: boolean }) => signs)).toHaveLength(1)
  await close()
})

test('a setting is written where nothing stronger says it, as the value that it means', async ({ db }) => {
  const written: [string, unknown][] = []
  const changed: Record<string, unknown> = {}
  const file: SettingsFile = {
    changed: async () => changed,
    async write(setting, value) {
      written.push([setting, value])
      changed[setting] = value
    },
  }
  const places = { siteUrl: 'CLEW_AUTH_SITE_URL', jwtExpirySeconds: 'supabase/config.toml: [auth] jwt_expiry_seconds' }
  const { ask, log, close } = await open(db, {}, 'developer', { settingsFile: file, places })
  const put = async (name: string, value: string | null) => {
    const { settings } = (await ask('GET', '/auth/setup')).body
    const shown = settings.find((setting: { name: string }) => setting.name === name)
    const replaces = shown?.waiting ?? shown?.value ?? null
    const { status, body } = await ask('PUT', `/auth/setup/settings/${name}`, { value, replaces })
    return status === 204 ? status : body.code
  }
  expect(await put('jwt_expiry_seconds', '600')).toBe(204)
  expect(await put('enable_signup', 'false')).toBe(204)
  expect(await put('additional_redirect_urls', 'https://a.test/**, https://b.test/**')).toBe(204)
  expect(await put('jwt_expiry_seconds', null)).toBe(204)
  expect(written).toEqual([
    ['jwtExpirySeconds', 600],
    ['enableSignup', false],
    ['additionalRedirectUrls', ['https://a.test/**', 'https://b.test/**']],
    ['jwtExpirySeconds', undefined],
  ])
  expect(await put('jwt_expiry_seconds', 'soon')).toBe('CLEW_AUTH_SETTING_VALUE')
  expect(await put('site_url', 'https://x.test')).toBe('CLEW_AUTH_SETTING_PINNED')
  expect(await put('external_github_secret', 'x')).toBe('CLEW_AUTH_SETTING_PINNED')
  expect(await put('nope', 'x')).toBe('CLEW_AUTH_SETTING_NOT_FOUND')
  expect(log[0]).toEqual({ name: 'auth.setting', target: 'jwt_expiry_seconds = 600' })
  const { settings } = (await ask('GET', '/auth/setup')).body
  const of = (name: string) => settings.find((setting: { name: string }) => setting.name === name)
  expect(of('enable_signup')).toMatchObject({
    value: 'true',
    waiting: 'false',
    pinned: null,
    form: { kind: 'boolean' },
  })
  expect(of('jwt_expiry_seconds')).toMatchObject({ waiting: 'null' })
  expect(of('site_url').pinned).toContain('CLEW_AUTH_SITE_URL')
  await close()
})

test('of two operators who saw one value the later is told who changed it, and replaces it once they have seen that', async ({
  db,
}) => {
  const changed: Record<string, unknown> = {}
  const file: SettingsFile = {
    changed: async () => ({ ...changed }),
    async write(setting, value) {
      changed[setting] = value
    },
  }
  const { askAs, close } = await open(db, {}, 'developer', {
    settingsFile: file,
    now: () => new Date('2026-01-02T03:04:05Z'),
  })
  const [ann, bob] = [await askAs('ann@x.test'), await askAs('bob@x.test')]
  const put = (ask: typeof ann, value: string | null, replaces: string) =>
    ask('PUT', '/auth/setup/settings/jwt_expiry_seconds', { value, replaces })
  for (const n of Array.from({ length: 20 }, (_, round) => round)) {
    const [before, annas, bobs] = [String(3600 + n), `${100 + n}`, `${200 + n}`]
    changed.jwtExpirySeconds = Number(before)
    const answers = await Promise.all([put(ann, annas, before), put(bob, bobs, before)])
    const refused = answers.findIndex(({ status }) => status === 409)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409])
    expect(answers[refused]?.body).toMatchObject({
      code: 'CLEW_AUTH_SETTING_CHANGED',
      message: `${refused === 0 ? 'bob' : 'ann'}@x.test changed the setting meanwhile, at 2026-01-02 03:04 UTC.`,
    })
    expect(changed.jwtExpirySeconds).toBe(Number(refused === 0 ? bobs : annas))
  }
  const held = String(changed.jwtExpirySeconds)
  expect((await put(bob, '900', held)).status).toBe(204)
  // Both wished for one value.
  expect((await put(ann, '900', held)).status).toBe(204)
  // Changed by hand in the file: no operator is known.
  changed.jwtExpirySeconds = 700
  expect((await put(ann, null, '900')).body.message).toBe('The setting was changed meanwhile.')
  expect((await put(ann, null, '700')).status).toBe(204)
  expect(changed.jwtExpirySeconds).toBeUndefined()
  await close()
})

test('without a file that may be written the console changes nothing', async ({ db }) => {
  const { ask, close } = await open(db)
  const change = { value: '600', replaces: '3600' }
  expect((await ask('PUT', '/auth/setup/settings/jwt_expiry_seconds', change)).body.code).toBe(
    'CLEW_AUTH_SETTING_PINNED',
  )
  await close()
})

test('keys say when they were last used, and an owner rotates those that sign', async ({ db }) => {
  const owner = await open(db)
  const { apiKeys, publishableKey } = (await owner.ask('GET', '/auth/setup')).body
  const { publishableKey: publishable, secretKey, anonKey, serviceRoleKey } = localApiKeys()
  const pinned = 'The setting publishable_key has it: change it there.'
  const [never, lastUsedAt, replacedAt] = [null, '2026-01-02T03:04:00.000Z', '2026-01-01T00:00:00.000Z']
  expect(publishableKey).toBe(publishable)
  expect(apiKeys).toEqual([
    { name: 'publishable', id: apiKeyId(publishable), lastUsedAt: never, replacedAt: null, pinned },
    { name: 'secret', id: apiKeyId(secretKey), lastUsedAt, replacedAt: null, pinned: null },
    { name: 'anon', id: apiKeyId(anonKey), lastUsedAt: never, replacedAt: null, pinned: null },
    { name: 'service_role', id: apiKeyId(serviceRoleKey), lastUsedAt: never, replacedAt: null, pinned: null },
    { name: 'secret', id: apiKeyId('sb_secret_before'), lastUsedAt: never, replacedAt, pinned: null },
  ])
  expect(JSON.stringify(apiKeys)).not.toContain('sb_secret')
  const rotate = { algorithm: 'ES256' }
  expect((await owner.ask('POST', '/auth/setup/keys/rotation', rotate)).body).toEqual({ kid: 'kid-2' })
  expect(owner.rotated).toEqual(['ES256'])
  await owner.close()
  const developer = await open(db, {}, 'developer')
  expect((await developer.ask('POST', '/auth/setup/keys/rotation', rotate)).status).toBe(403)
  await developer.close()
})

test('a redirect is tried as a request would be', async ({ db }) => {
  const { ask, close } = await open(db, {
    siteUrl: 'https://shop.test',
    additionalRedirectUrls: ['https://*.preview.test/**'],
  })
  const tried = async (url: string) => (await ask('POST', '/auth/setup/redirect', { url })).body
  expect(await tried('https://a.preview.test/b')).toEqual({ isAllowed: true, leadsTo: 'https://a.preview.test/b' })
  expect(await tried('https://shop.test.evil.test/')).toEqual({ isAllowed: false, leadsTo: 'https://shop.test' })
  await close()
})

test('each mail is shown as it would be sent, and a test goes to the operator alone', async ({ db }) => {
  const { ask, log, inbox, close } = await open(db, { emailTemplateRecoverySubject: 'Hello {{ .Email }}' })
  const { mails } = (await ask('GET', '/auth/setup')).body
  for (const { kind } of mails) {
    const { status, body } = await ask('GET', `/auth/setup/mails/${kind}`)
    expect([kind, status, body.html.length > 20, body.subject.length > 3]).toEqual([kind, 200, true, true])
  }
  expect((await ask('GET', '/auth/setup/mails/recovery')).body.subject).toBe('Hello olga@example.com')
  expect((await ask('POST', '/auth/setup/mails/recovery/test')).body).toEqual({ to: 'olga@example.com' })
  expect((await inbox.list({ start: 0, limit: 5 })).mails).toMatchObject([
    { to: 'olga@example.com', subject: '[Test] Hello olga@example.com' },
  ])
  expect(log).toEqual([{ name: 'mail.test', target: 'mail recovery to olga@example.com' }])
  await close()
})

test('an analyst sees nothing of it', async ({ db }) => {
  const { ask, close } = await open(db, {}, 'analyst')
  expect((await ask('GET', '/auth/setup')).status).toBe(403)
  expect((await ask('POST', '/auth/setup/mails/recovery/test')).status).toBe(403)
  await close()
})

test('an owner rotates a key of the API, unless a setting has it, and revokes an earlier one', async ({ db }) => {
  const owner = await open(db)
  const rotate = (name: string) => owner.ask('POST', '/auth/setup/api-keys/rotation', { name })
  expect((await rotate('secret')).body).toEqual({ key: 'sb_secret_next' })
  expect((await rotate('publishable')).body.code).toBe('CLEW_AUTH_KEY_PINNED')
  expect((await rotate('anon')).status).toBe(400)
  const id = apiKeyId('sb_secret_before')
  expect((await owner.ask('DELETE', `/auth/setup/api-keys/${id}`)).status).toBe(204)
  const current = apiKeyId(localApiKeys().secretKey)
  expect((await owner.ask('DELETE', `/auth/setup/api-keys/${current}`)).body.code).toBe('CLEW_AUTH_KEY_NOT_FOUND')
  expect((await owner.ask('DELETE', '/auth/setup/api-keys/sb_secret')).status).toBe(400)
  expect(owner.rotated).toEqual(['secret', id, current])
  expect(owner.log.slice(0, 1)).toEqual([{ name: 'auth.rotate_api_key', target: 'secret key' }])
  expect(JSON.stringify(owner.log)).not.toContain('sb_secret_')
  await owner.close()
  const developer = await open(db, {}, 'developer')
  expect((await developer.ask('POST', '/auth/setup/api-keys/rotation', { name: 'secret' })).status).toBe(403)
  expect((await developer.ask('DELETE', `/auth/setup/api-keys/${id}`)).status).toBe(403)
  expect(developer.rotated).toEqual([])
  await developer.close()
})
