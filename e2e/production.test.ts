import { createHmac } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import ws from 'ws'
import { claimOwner } from './support/console-api.ts'
import { cafeFolder, type Product, run, startProduct } from './support/product.ts'
import { isTrial } from './support/trials.ts'

/** What everybody knows: the keys of local mode. */
const known = {
  jwtSecret: 'super-secret-jwt-token-with-at-least-32-characters-long',
  publishableKey: 'sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH',
  secretKey: 'sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz',
  anonKey: signed({ iss: 'supabase-demo', role: 'anon', exp: 1983812996 }),
  serviceRoleKey: signed({ iss: 'supabase-demo', role: 'service_role', exp: 1983812996 }),
  ingestToken: 'phc_clewLocalDevelopmentOnly',
}

function signed(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  const secret = 'super-secret-jwt-token-with-at-least-32-characters-long'
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

const keysOf = ({ jwtSecret, publishableKey, secretKey, anonKey, serviceRoleKey, ingestToken }: Product) => ({
  jwtSecret,
  publishableKey,
  secretKey,
  anonKey,
  serviceRoleKey,
  ingestToken,
})

describe('production', () => {
  let product: Product
  const start = (dataDir?: string): Promise<Product> =>
    startProduct({
      project: cafeFolder,
      // Named by the café's clew.toml; not for production.
      sample: true,
      args: ['--production'],
      ...(dataDir === undefined ? {} : { dataDir }),
    })
  beforeAll(async () => {
    product = await start()
  })
  afterAll(() => product?.close())

  const ask = async (headers: Record<string, string>, path = '/rest/v1/products?select=name'): Promise<number> =>
    (await fetch(product.apiUrl + path, { headers })).status

  test('begins without the sample’s visits: only the seed’s people are there', async () => {
    const client = new pg.Client({ connectionString: product.dbUrl })
    await client.connect()
    const { rows } = await client.query(
      'select (select count(*)::int from auth.users) as users, (select count(*)::int from public.orders) as orders',
    )
    await client.end()
    expect(rows).toEqual([{ users: 3, orders: 0 }])
    expect(product.output()).not.toContain('sample')
  })

  test('makes keys of its own, in a file for its owner only', async () => {
    const own = keysOf(product)
    for (const [name, value] of Object.entries(known)) {
      expect(Object.values(own), name).not.toContain(value)
      expect(product.output()).not.toContain(value)
    }
    expect(new Set(Object.values(own)).size).toBe(6)
    const file = join(product.dataDir, 'keys.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(file, 'utf8')).toContain(product.secretKey)
  })

  test('a new secret key counts at once, the one before it until it is revoked', async () => {
    const place = ['--production', '--data', product.dataDir, '--json']
    const before = product.secretKey
    const { key, replacedId, takenOver } = JSON.parse(
      (await run(['keys', 'rotate', '--api', 'secret', ...place])).stdout,
    )
    expect(takenOver).toBe(true)
    const both = () => Promise.all([before, key].map((apikey) => ask({ apikey })))
    expect(await both()).toEqual([200, 200])
    const listed = JSON.parse((await run(['keys', ...place])).stdout)
    expect(listed).toMatchObject({ secretKey: key, earlierKeys: [{ id: replacedId, name: 'secret', key: before }] })
    expect((await run(['keys', 'revoke', replacedId, ...place])).code).toBe(0)
    expect(await both()).toEqual([401, 200])
    expect((await run(['keys', 'revoke', replacedId, ...place])).code).toBe(7)
    // Local mode has the published keys.
    expect((await run(['keys', 'rotate', '--api', 'secret', '--data', product.dataDir])).code).toBe(2)
    product = { ...product, secretKey: key }
  })

  test('prints no link that makes an owner, and tells how to have one', () => {
    expect(product.output()).not.toContain('token=')
    expect(product.output()).toContain('clew owner-link')
    expect(product.setupUrl).toContain('/console/welcome?token=')
  })

  test('requires a key', async () => {
    expect(await ask({})).toBe(401)
    expect(await ask({}, '/auth/v1/user')).toBe(401)
    for (const apikey of [product.publishableKey, product.anonKey, product.secretKey, product.serviceRoleKey]) {
      expect(await ask({ apikey })).toBe(200)
    }
  })

  test('refuses the keys of development, and what is signed with their secret', async () => {
    for (const key of [known.publishableKey, known.secretKey, known.anonKey, known.serviceRoleKey]) {
      expect(await ask({ apikey: key }), key).toBe(401)
      expect(await ask({ apikey: product.publishableKey, authorization: `Bearer ${key}` }), key).toBe(401)
    }
    const event = { event: 'sneaked in', distinct_id: 'mallory', properties: {} }
    const capture = (token: string) =>
      fetch(`${product.apiUrl}/ingest/i/v0/e/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...event, api_key: token }),
      })
    expect((await capture(known.ingestToken)).status).toBe(401)
    expect((await capture(product.ingestToken)).status).toBe(200)
  })

  test('gives mails and the database only to callers with the keys', async () => {
    expect(await ask({}, '/inbox/api/v1/messages')).toBe(404)
    expect((await fetch(`${product.inboxUrl}/api/v1/messages`)).status).toBe(401)
    expect((await fetch(`${product.consoleUrl}/api/overview`)).status).toBe(401)
    const { port } = new URL(product.dbUrl)
    const guess = new pg.Client({ connectionString: `postgresql://postgres:postgres@127.0.0.1:${port}/postgres` })
    await expect(guess.connect()).rejects.toMatchObject({ code: '28P01' })
    const owner = new pg.Client({ connectionString: product.dbUrl })
    await owner.connect()
    await owner.end()
  })

  test('signs no user in by an address that is not confirmed, and says at its start what is missing for it', async () => {
    const options = { auth: { persistSession: false, autoRefreshToken: false }, realtime: { transport: ws } }
    const { auth } = createClient(product.apiUrl, product.publishableKey, options)
    const ceo = { email: 'ceo@corp.example', password: 'not really the boss' }
    const { data, error } = await auth.signUp(ceo)
    expect([error, data.session, data.user?.email_confirmed_at]).toEqual([null, null, undefined])
    expect((await auth.signInWithPassword(ceo)).error?.code).toBe('email_not_confirmed')
    const settings = await fetch(`${product.apiUrl}/auth/v1/settings`, { headers: { apikey: product.publishableKey } })
    expect(await settings.json()).toMatchObject({ mailer_autoconfirm: false, phone_autoconfirm: false })
    expect(product.output()).toContain('until an operator passes the mail on')
  })

  test('comes back after a restart with the same keys, people signed in, and no second owner', async () => {
    await claimOwner(product)
    const before = keysOf(product)
    const options = { auth: { persistSession: false, autoRefreshToken: false }, realtime: { transport: ws } }
    const client = createClient(product.apiUrl, product.publishableKey, options)
    const pia = { email: 'pia@example.test', password: 'a quiet corner table' }
    await createClient(product.apiUrl, product.secretKey, options).auth.admin.createUser({
      ...pia,
      email_confirm: true,
    })
    const { data } = await client.auth.signInWithPassword(pia)
    const token = data.session?.access_token ?? ''
    expect(await ask({ apikey: product.publishableKey, authorization: `Bearer ${token}` }, '/auth/v1/user')).toBe(200)
    expect(await product.stop()).toBe(0)

    product = await start(product.dataDir)
    expect(keysOf(product)).toEqual(before)
    expect(product.setupUrl).toBeNull()
    expect(await ask({ apikey: product.publishableKey, authorization: `Bearer ${token}` }, '/auth/v1/user')).toBe(200)
  })
})

test.each(isTrial ? ['0.0.0.0', '::', '192.0.2.7'] : ['0.0.0.0'])(
  'local mode does not listen on %s, where others could use its keys',
  async (host) => {
    const refused = await run(['start', '--host', host, '--data', join(tmpdir(), 'clew-never')])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('--production')
    await expect(stat(join(tmpdir(), 'clew-never'))).rejects.toThrow('ENOENT')
  },
)
