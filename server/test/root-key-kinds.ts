import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3'
import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import WebSocket from 'ws'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { localS3AccessKey } from '../src/services/storage/s3/keys.ts'
import { runCommand } from './command-line.ts'
import type { Received } from './receiver.ts'
import { isMissing, type Kept, type Kind, newEmail, newName } from './root-key-kept.ts'
import { keepApp, operatorKinds } from './root-key-operators.ts'
import type { RootKeyWorld } from './root-key-world.ts'
import type { S3App } from './s3-app.ts'

async function keepVaultSecret({ asOwner, query }: RootKeyWorld): Promise<Kept> {
  const name = newName()
  expect((await asOwner('POST', '/vault', { name, description: '', secret: `of ${name}` })).status).toBe(201)
  const read = () => query('select decrypted_secret as secret from vault.decrypted_secrets where name = $1', name)
  return {
    works: async () => expect(await read()).toEqual([{ secret: `of ${name}` }]),
    sealed: {
      ...{ table: 'vault.secrets', columns: ['secret', 'nonce'], where: 'name = $1', value: name },
      isLost: () => expect(read()).rejects.toMatchObject({ hint: expect.stringContaining('keys.json') }),
    },
  }
}

async function keepFunctionSecret({ asOwner, callApi }: RootKeyWorld): Promise<Kept> {
  const name = newName()
  expect((await asOwner('POST', '/function-secrets', [{ name, value: `of ${name}` }])).status).toBe(204)
  const read = async () => (await callApi(`/functions/v1/variable?name=${name}`)).text()
  return {
    works: () => expect.poll(read, { timeout: 10_000 }).toBe(`of ${name}`),
    sealed: {
      ...{ table: 'clew_functions.secrets', columns: ['sealed_value'], where: 'name = $1', value: name },
      isLost: async () => expect(await read()).toBe('none'),
    },
  }
}

async function keepExport({ asOwner }: RootKeyWorld, { url }: S3App): Promise<Kept> {
  const bucket = { endpoint: `${url}/storage/v1/s3`, region: 'local', bucket: 'b', prefix: '', pathStyle: true }
  const target = { ...bucket, accessKeyId: localS3AccessKey.accessKeyId }
  const { body } = await asOwner('POST', '/exports', {
    ...target,
    ...{ name: newName(), kinds: ['events'], format: 'jsonl', schedule: '30 3 1 1 *' },
    secretAccessKey: localS3AccessKey.secretAccessKey,
  })
  const ask = async () => (await asOwner('POST', '/exports/test', { ...target, id: body.id })).body
  return {
    works: async () => expect(await ask()).toEqual({ ok: true, detail: null }),
    sealed: {
      ...{ table: 'clew_exports.exports', columns: ['secret_sealed'], where: 'id = $1', value: body.id },
      isLost: async () => expect(await ask()).toMatchObject(isMissing),
    },
  }
}

/** Codes and links of mails: each is good once, so that there are several. */
async function keepCodes({ callApi }: RootKeyWorld): Promise<Kept> {
  const post = (place: string, body: object) =>
    callApi(`/auth/v1${place}`, {
      ...{ method: 'POST', body: JSON.stringify(body) },
      headers: { 'content-type': 'application/json' },
    })
  const codes = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const email = newEmail()
      const answer = await post('/admin/generate_link', { type: 'magiclink', email })
      const { email_otp: token } = (await answer.json()) as { readonly email_otp: string }
      return { type: 'email', email, token }
    }),
  )
  const verify = async () => (await post('/verify', codes.pop() ?? {})).json()
  return {
    works: async () => expect(await verify()).toHaveProperty('access_token'),
    isRefused: async () => expect(await verify()).toMatchObject({ error_code: 'otp_expired' }),
  }
}

async function keepTicket({ asOwner, ownerCookie: cookie, consoleUrl }: RootKeyWorld): Promise<Kept> {
  const topic = newName()
  const asked = { topic, isPrivate: false, caller: { kind: 'anon' } }
  const { token } = (await asOwner('POST', '/realtime/tickets', asked)).body
  /** The status of what joining by it is answered. */
  const join = async (): Promise<string> => {
    const url = `${consoleUrl.replace('http', 'ws')}/api/realtime/websocket?vsn=1.0.0&apikey=${token}`
    const socket = new WebSocket(url, { headers: { cookie, origin: new URL(consoleUrl).origin } })
    try {
      return await new Promise((answer, fail) => {
        socket.on('error', fail)
        socket.on('open', () =>
          socket.send(
            JSON.stringify({
              ...{ topic: `realtime:${topic}`, event: 'phx_join', ref: '1' },
              payload: { config: {}, access_token: token },
            }),
          ),
        )
        socket.on('message', (data) => answer(JSON.parse(String(data)).payload.status))
      })
    } finally {
      socket.close()
    }
  }
  return {
    works: async () => expect(await join()).toBe('ok'),
    isRefused: () => expect(join()).rejects.toThrow('401'),
  }
}

/** Resolves with the request that a new path of the receiver is sent, once `send` had it sent. */
async function sentTo({ receiver }: RootKeyWorld, send: (url: string) => Promise<unknown>): Promise<Received> {
  const path = `/${newName()}`
  await send(receiver.url + path)
  for (;;) {
    const found = receiver.received.find((one) => one.path === path)
    if (found !== undefined) return found
    await receiver.arrived(receiver.received.length + 1)
  }
}

/** The header of a request from SQL, which names its cause. */
async function keepTrace(world: RootKeyWorld): Promise<Kept> {
  const { callApi, query, asOwner } = world
  const { headers } = await sentTo(world, async (url) => {
    await query(
      `create or replace function public.send(url text) returns bigint language sql as 'select net.http_get(url)'`,
    )
    await query(`notify pgrst, 'reload schema'`)
    await expect
      .poll(async () => {
        const body = JSON.stringify({ url })
        const type = { 'content-type': 'application/json' }
        return (await callApi('/rest/v1/rpc/send', { method: 'POST', body, headers: type })).status
      })
      .toBe(200)
  })
  const traceparent = String(headers.traceparent)
  const causeOf = async () => {
    const answer = await callApi('/auth/v1/health', { headers: { traceparent } })
    const place = `/requests/${answer.headers.get('x-request-id')}`
    await expect.poll(async () => (await asOwner('GET', place)).status, { timeout: 15_000 }).toBe(200)
    return (await asOwner('GET', place)).body.causeId
  }
  const hex = traceparent.split('-')[1]
  return {
    works: async () => expect((await causeOf())?.replaceAll('-', '')).toBe(hex),
    isRefused: async () => expect(await causeOf()).toBeNull(),
  }
}

const keysOf = async ({ data }: RootKeyWorld) =>
  JSON.parse((await runCommand('keys', '--json', '--production', '--data', data)).stdout)

async function keepS3Key(world: RootKeyWorld): Promise<Kept> {
  const { s3AccessKeyId, s3SecretAccessKey } = await keysOf(world)
  const client = new S3Client({
    ...{ region: 'local', endpoint: `${world.apiUrl}/storage/v1/s3`, forcePathStyle: true, maxAttempts: 1 },
    credentials: { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey },
  })
  const list = () => client.send(new ListBucketsCommand())
  return {
    works: async () => expect((await list()).Buckets).toEqual([]),
    isRefused: () => expect(list()).rejects.toMatchObject({ name: 'InvalidAccessKeyId' }),
  }
}

async function keepWebhookSecret(world: RootKeyWorld): Promise<Kept> {
  const { webhookSecret } = await keysOf(world)
  const table = newName()
  const call = () =>
    sentTo(world, async (url) => {
      await world.query(`
        create table if not exists ${table} (id uuid);
        create or replace trigger told after insert on ${table} for each row
          execute function supabase_functions.http_request('${url}', 'POST', '{}', '{}', '5000');
        insert into ${table} values ('${uuidv7()}')`)
    })
  const verify = ({ body, headers }: Received) =>
    new Webhook(webhookSecret).verify(body, headers as Record<string, string>)
  return {
    works: async () => verify(await call()),
    async isRefused() {
      const sent = await call()
      expect(() => verify(sent)).toThrow('No matching signature')
    },
  }
}

async function keepCertificate({ callApi, asOwner }: RootKeyWorld): Promise<Kept> {
  const body = JSON.stringify({ email: newEmail() })
  const headers = { 'content-type': 'application/json' }
  const answer = await callApi('/auth/v1/admin/users', { method: 'POST', body, headers })
  const { id: userId } = (await answer.json()) as { readonly id: string }
  const wish = { kind: 'user', id: userId, texts: [], tables: [], refuse: false }
  const { id } = (await asOwner('POST', '/privacy/erasures', wish)).body
  const state = async () => (await asOwner('GET', `/privacy/erasures/${id}`)).body.state
  await expect.poll(state, { timeout: 60_000 }).toBe('done')
  const { body: certificate } = await asOwner('GET', `/privacy/erasures/${id}/certificate`)
  const verify = async () => (await asOwner('POST', '/privacy/certificates/verify', { certificate })).body.outcome
  return { works: async () => expect(await verify()).toBe('good') }
}

/** What is sealed, and moves to another root key by itself. */
export const sealedKinds: readonly Kind[] = [
  { name: 'secrets of the vault', keep: keepVaultSecret },
  { name: 'secrets of functions', keep: keepFunctionSecret },
  { name: 'keys of exports', keep: keepExport },
  { name: 'authenticator apps of operators', keep: keepApp },
]

/** All that is kept, signed or derived under a root key. */
export const kinds: readonly Kind[] = [
  ...sealedKinds,
  ...operatorKinds,
  { name: 'codes of mails', keep: keepCodes },
  { name: 'tickets of realtime', keep: keepTicket },
  { name: 'traces of causes', keep: keepTrace },
  { name: 'S3 access keys', keep: keepS3Key },
  { name: 'the webhooks’ secret', keep: keepWebhookSecret },
  { name: 'certificates of erasures', keep: keepCertificate },
]
