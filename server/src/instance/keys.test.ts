import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rootKeyOf } from '../ground/ids/root-keys.ts'
import { apiKeyId, createOpaqueKeyFinder, createReplaceableApiKeys } from '../ground/jwt/api-keys.ts'
import { createSigningKey, signingAlgorithms } from '../ground/jwt/keys.ts'
import { signToken } from '../ground/jwt/sign.ts'
import { createTokenVerifier } from '../ground/jwt/verify.ts'
import { loadKeys } from './keys.ts'
import {
  revokeApiKey,
  rotateApiKey,
  rotateDatabasePassword,
  rotateIngestToken,
  rotateKeys,
  rotateSecret,
} from './secrets/rotate.ts'

const now = () => new Date()
const claims = { sub: 'u', exp: Math.floor(Date.now() / 1000) + 600 }
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-keys-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const none = {
  ...{ signingKeysPath: null, jwtSecret: null, earlierJwtSecrets: [], publishableKey: null, secretKey: null },
}
const load = (path: string | null = null) => loadKeys(folder, false, now, { ...none, signingKeysPath: path })
const verifierOf = ({ tokens }: Awaited<ReturnType<typeof load>>) =>
  createTokenVerifier({ keys: tokens, now, cacheSize: 10, clockSkewSeconds: 0 })

test('after a rotation the new key signs, and tokens of every older one are good', async () => {
  const signed = []
  for (const algorithm of signingAlgorithms) {
    const keys = await load()
    signed.push(signToken(claims, keys.tokens.signing))
    const { kid } = await rotateKeys(folder, algorithm, now)
    const next = await load()
    expect(next.tokens.signing).toMatchObject({ kid, algorithm })
    expect(next.tokens.jwks.keys.map((key) => key.kid)).toContain(keys.tokens.signing.kid)
    expect(next.api).toEqual(keys.api)
  }
  const verify = verifierOf(await load())
  for (const token of signed) expect(verify(token).kind).toBe('claims')
  const file = JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8'))
  expect(file.retiredKeys).toHaveLength(5)
  for (const key of file.retiredKeys) expect(key).not.toHaveProperty('d')
  expect((await stat(join(folder, 'keys.json'))).mode & 0o777).toBe(0o600)
})

test('after a rotation of the JWT secret, keys and tokens of every older one are good', async () => {
  const production = (configured = none) => loadKeys(folder, true, now, configured)
  const keysOf = ({ api: { anonKey, serviceRoleKey } }: Awaited<ReturnType<typeof production>>) => [
    anonKey,
    serviceRoleKey,
  ]
  const before = await production()
  expect(await rotateSecret(folder, now)).toMatchObject({ retired: 1 })
  const between = await production()
  expect(await rotateSecret(folder, now)).toMatchObject({ retired: 2 })
  const after = await production()
  expect(new Set([before, between, after].flatMap(keysOf)).size).toBe(6)
  const verify = verifierOf(after)
  for (const key of [before, between, after].flatMap(keysOf)) expect(verify(key).kind).toBe('claims')
  expect([after.api.secretKey, after.roots]).toEqual([before.api.secretKey, before.roots])
  expect(JSON.stringify(after.tokens.jwks)).not.toContain('oct')
  // What local mode verifies is its own.
  expect(verifierOf(await load())(before.api.anonKey).kind).toBe('refused')
})

test('a secret of the settings is replaced, and the one before named', async () => {
  const [first, second] = ['the first secret of these', 'the second secret of these']
  const loadWith = (jwtSecret: string, earlierJwtSecrets: string[]) =>
    loadKeys(folder, true, now, { ...none, ...{ jwtSecret, earlierJwtSecrets } } as never)
  const { anonKey } = (await loadWith(first, [])).api
  expect(verifierOf(await loadWith(second, []))(anonKey).kind).toBe('refused')
  expect(verifierOf(await loadWith(second, [first]))(anonKey).kind).toBe('claims')
})

test('a key of the API that is replaced is accepted until it is revoked, in every process that has the keys', async () => {
  const before = await loadKeys(folder, true, now)
  const { keys, replace } = createReplaceableApiKeys(before.api)
  const roleOf = createOpaqueKeyFinder(keys)
  const { key, replacedId } = await rotateApiKey(folder, 'secret', now)
  expect(key).toMatch(/^sb_secret_/)
  expect(replacedId).toBe(apiKeyId(before.api.secretKey))
  expect([roleOf(before.api.secretKey), roleOf(key)]).toEqual(['service_role', undefined])
  replace((await loadKeys(folder, true, now)).api)
  expect([keys.secretKey, keys.publishableKey]).toEqual([key, before.api.publishableKey])
  expect([roleOf(before.api.secretKey), roleOf(key)]).toEqual(['service_role', 'service_role'])
  await rotateApiKey(folder, 'publishable', now)
  expect((await loadKeys(folder, true, now)).api.earlierKeys.map(({ name }) => name)).toEqual(['publishable', 'secret'])
  // The key that counts is none that can be revoked.
  expect(await revokeApiKey(folder, apiKeyId(key))).toBe(false)
  expect(await revokeApiKey(folder, replacedId)).toBe(true)
  replace((await loadKeys(folder, true, now)).api)
  expect([roleOf(before.api.secretKey), roleOf(key)]).toEqual([undefined, 'service_role'])
  expect(roleOf(before.api.publishableKey)).toBe('anon')
  // The published keys are those of local mode alone.
  expect((await load()).api.earlierKeys).toEqual([])
})

test('a rotation is kept when production makes its keys later', async () => {
  await load()
  const { kid } = await rotateKeys(folder, 'RS256', now)
  const production = await loadKeys(folder, true, now)
  expect(production.tokens.signing.kid).toBe(kid)
  expect(production.tokens.jwks.keys).toHaveLength(2)
})

test('a directory from before the pepper gets one, and keeps every other secret', async () => {
  const before = await loadKeys(folder, true, now)
  const path = join(folder, 'keys.json')
  const { pepper, ...older } = JSON.parse(await readFile(path, 'utf8'))
  expect(before.roots).toEqual([rootKeyOf(pepper)])
  await writeFile(path, JSON.stringify(older))
  const after = await loadKeys(folder, true, now)
  expect([after.api, after.databasePassword, after.ingestToken]).toEqual([
    before.api,
    before.databasePassword,
    before.ingestToken,
  ])
  expect(after.roots).not.toEqual(before.roots)
  expect((await loadKeys(folder, true, now)).roots).toEqual(after.roots)
})

test('a file of keys is used as it is, and rotated in its place', async () => {
  const path = join(folder, 'signing_keys.json')
  const first = createSigningKey('RS256')
  const shared = {
    kty: 'oct',
    kid: 'shared',
    alg: 'HS256',
    key_ops: ['verify'],
    k: 'c2hhcmVkIHNlY3JldCBvZiBzb21lIGxlbmd0aA',
  }
  await writeFile(path, JSON.stringify([first, shared]))
  const before = await load(path)
  expect(before.tokens.signing).toMatchObject({ kid: first.kid, algorithm: 'RS256' })
  // A symmetric key is never shown.
  expect(before.tokens.jwks.keys.map((key) => key.kid)).toEqual([first.kid])
  expect(JSON.stringify(before.tokens.jwks)).not.toContain(first.d)
  const { kid, retired } = await rotateKeys(folder, 'ES256', now, path)
  const after = await load(path)
  expect([after.tokens.signing.kid, retired]).toEqual([kid, 2])
  expect(verifierOf(after)(signToken(claims, before.tokens.signing)).kind).toBe('claims')
  expect(after.tokens.jwks.keys.map((key) => key.kid)).toEqual([kid, first.kid])
})

test.for([
  ['no file', null, 'ENOENT'],
  ['no JSON', '{', 'JSON'],
  ['no list', '{"keys":[]}', 'no array'],
  ['an empty list', '[]', 'no array'],
  ['no key that signs', JSON.stringify([{ ...createSigningKey('ES256'), key_ops: ['verify'] }]), 'sign'],
  ['two keys that sign', JSON.stringify([createSigningKey('ES256'), createSigningKey('ES256')]), 'exactly one'],
  ['an algorithm of another key', JSON.stringify([{ ...createSigningKey('ES256'), alg: 'RS256' }]), 'cannot be used'],
  ['half a key', JSON.stringify([{ ...createSigningKey('ES256'), d: undefined }]), 'could not be read'],
] as const)('a file with %s is refused at the start', async ([, content, message]) => {
  const path = join(folder, 'signing_keys.json')
  if (content !== null) await writeFile(path, content)
  await expect(load(path)).rejects.toMatchObject({ code: 'CLEW_START_KEYS', message: expect.stringContaining(message) })
})

test('keys of the settings stand in place of the directory’s own, in both modes', async () => {
  const given = { ...none, jwtSecret: 'a secret of thirty-two characters', publishableKey: 'sb_publishable_mine' }
  for (const production of [false, true]) {
    const { api } = await loadKeys(folder, production, now, given)
    const own = (await loadKeys(folder, production, now)).api
    expect(api).toMatchObject({
      jwtSecret: given.jwtSecret,
      publishableKey: 'sb_publishable_mine',
      secretKey: own.secretKey,
    })
    expect(api.anonKey).not.toBe(own.anonKey)
  }
})

test('an ingest token before the one of now is accepted until it is revoked; a password before it is forgotten', async () => {
  const inProduction = () => loadKeys(folder, true, now)
  const first = await inProduction()
  const { token, replacedId } = await rotateIngestToken(folder, now)
  await rotateDatabasePassword(folder, now)
  const second = await inProduction()
  expect(token).toMatch(/^phc_\w{40,}$/)
  expect(second).toMatchObject({ ingestToken: token, earlierIngestTokens: [{ token: first.ingestToken }] })
  expect(await readFile(join(folder, 'keys.json'), 'utf8')).not.toContain(first.databasePassword)
  expect(await revokeApiKey(folder, apiKeyId(token))).toBe(false)
  expect(await revokeApiKey(folder, replacedId)).toBe(true)
  expect((await inProduction()).earlierIngestTokens).toEqual([])
})
