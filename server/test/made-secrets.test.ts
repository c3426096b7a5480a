import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { askReloadKeys } from '../src/instance/control.ts'
import { directoryOf } from '../src/instance/directory.ts'
import { type Instance, startInstance } from '../src/instance/index.ts'
import { revokeApiKey, rotateDatabasePassword, rotateIngestToken } from '../src/instance/secrets/rotate.ts'
import { readAllSettings } from '../src/settings/index.ts'
import { freePort } from './free-port.ts'
import { connectSuperuser } from './superuser.ts'

let folder: string
let data: string
let instance: Instance
const now = () => new Date()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-made-'))
  data = join(folder, 'data')
  const ports = { port: await freePort(), dbPort: await freePort(), consolePort: await freePort() }
  const flags = { data, production: true, logLevel: 'silent', ...ports }
  const read = readAllSettings({ flags, environment: {}, workingDirectory: folder })
  expect(read.problems).toEqual([])
  instance = await startInstance({
    ...{ settings: read.settings, places: read.places, secretFiles: [], reread: async () => read },
    report: () => undefined,
    progress: () => undefined,
    onStop: () => undefined,
  })
}, 120_000)

afterAll(async () => {
  await instance?.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}, 60_000)

const tell = (rotated: string) => askReloadKeys(directoryOf(data).control, rotated)

async function capture(token: string): Promise<number> {
  const { apiUrl } = await instance.status()
  const event = { event: 'seen', distinct_id: 'a visitor', uuid: uuidv7(), properties: {} }
  const body = JSON.stringify({ api_key: token, batch: [event] })
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`${apiUrl}/ingest/batch/`, { method: 'POST', headers, body })).status
}

test('an ingest token is another one, and that of before is accepted until it is revoked', async () => {
  const { ingestToken: before } = await instance.status()
  expect(await capture(before)).toBe(200)
  const { replacedId, token } = await rotateIngestToken(data, now)
  const statuses: number[] = []
  let isRotating = true
  const client = (async () => {
    while (isRotating) statuses.push(await capture(before))
  })()
  await tell('ingest token')
  isRotating = false
  await client
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect((await instance.status()).ingestToken).toBe(token)
  expect([await capture(before), await capture(token)]).toEqual([200, 200])
  expect(await revokeApiKey(data, replacedId)).toBe(true)
  await tell('ingest token, revoked')
  expect([await capture(before), await capture(token)]).toEqual([401, 200])
})

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  return client
}

test('the password of the embedded database is another one, while a connection goes on', async () => {
  const { dbUrl } = await instance.status()
  const client = await connect(dbUrl ?? '')
  await rotateDatabasePassword(data, now)
  await tell('database password')
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  const { dbUrl: next } = await instance.status()
  expect(next).not.toBe(dbUrl)
  await expect(connect(dbUrl ?? '')).rejects.toThrow('password authentication failed')
  await (await connect(next ?? '')).end()
  await client.end()
})

test('what was made anew stands in the audit log, without its value', async () => {
  const { dbUrl, ingestToken } = await instance.status()
  const client = await connectSuperuser(data, dbUrl)
  const { rows } = await client.query(
    `select target, outcome, operator_email as by from clew_operators.actions where action = 'secret.rotate' order by at`,
  )
  await client.end()
  expect(rows).toEqual(
    ['ingest token', 'ingest token, revoked', 'database password'].map((target) => ({
      ...{ target, outcome: 'succeeded', by: 'command line' },
    })),
  )
  expect(JSON.stringify(rows)).not.toContain(ingestToken)
})
