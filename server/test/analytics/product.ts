import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { expect, vi } from 'vitest'
import { type ClickHouse, createClickHouse } from '../../src/engines/clickhouse/index.ts'
import { uuidv7 } from '../../src/ground/ids/uuidv7.ts'
import { directoryOf } from '../../src/instance/directory.ts'
import { startInstance } from '../../src/instance/index.ts'
import { readAllSettings } from '../../src/settings/index.ts'
import { bystander } from '../cases/analytics/project.ts'
import { freePort } from '../free-port.ts'
import { japan, lisbon, mmdbFile } from '../mmdb.ts'
import { connectSuperuser } from '../superuser.ts'

/** The whole product with both engines, as clients of analytics and its owner see it. */
export interface AnalyticsProduct {
  /** Where analytics is served. */
  readonly url: string
  readonly token: string
  readonly secretKey: string
  readonly clickhouse: ClickHouse
  readonly postgres: pg.Client
  /** Calls the console's API as the owner; answers the body. */
  asOwner(method: string, path: string, body?: object): Promise<unknown>
  /** Resolves when everything that was answered before is stored. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Who sends is named in `X-Forwarded-For`; two networks have a place. */
export async function startAnalyticsProduct(settings: Readonly<Record<string, string>>): Promise<AnalyticsProduct> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-analytics-'))
  const data = join(folder, 'data')
  const places = join(folder, 'places.mmdb')
  await writeFile(
    places,
    mmdbFile([
      ['203.0.113.0/24', lisbon],
      ['2001:db8::/32', japan],
    ]),
  )
  const ports = { port: await freePort(), dbPort: await freePort(), consolePort: await freePort() }
  const read = readAllSettings({
    flags: { data, logLevel: 'silent', ...ports },
    environment: {
      ...{ CLEW_SPOOL_BATCH_MS: '20', CLEW_TRUSTED_PROXIES: '["loopback"]', CLEW_ANALYTICS_GEO_DATABASE: places },
      ...settings,
    },
    workingDirectory: folder,
  })
  expect(read.problems).toEqual([])
  const instance = await startInstance({
    ...{ settings: read.settings, places: read.places, secretFiles: [], reread: async () => read },
    report: () => undefined,
    progress: () => undefined,
    onStop: () => undefined,
  })
  const { apiUrl, consoleUrl, dbUrl, ingestToken: token, secretKey } = await instance.status()
  const clickhouse = createClickHouse({
    kind: 'attached',
    socketPath: join(directoryOf(data).sockets, 'clickhouse.sock'),
  })
  const postgres = await connectSuperuser(data, dbUrl)
  const url = `${apiUrl}/ingest`
  await post(`${url}/consent`, { token, distinct_id: bystander, granted: true })
  const asOwner = await openConsole(consoleUrl, await instance.ownerLink())
  return {
    ...{ url, token, secretKey, clickhouse, postgres, asOwner },
    settled: () => settle({ url, token, clickhouse }),
    async close() {
      await postgres.end()
      await clickhouse.close()
      await instance.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Claims the console; calls are its owner's. */
async function openConsole(consoleUrl: string, link: string | null): Promise<AnalyticsProduct['asOwner']> {
  const { origin } = new URL(consoleUrl)
  const ask = (cookie: string, method: string, path: string, body?: object) =>
    fetch(`${consoleUrl}/api${path}`, {
      method,
      headers: { cookie, origin, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const owner = { name: 'Olga', email: 'olga@example.test', password: 'a long and calm password' }
  const claimed = await ask('', 'POST', '/setup', { token: new URL(link ?? '').searchParams.get('token'), ...owner })
  const cookie = claimed.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return async (method, path, body) => {
    const answer = await ask(cookie, method, path, body)
    const text = await answer.text()
    expect([path, answer.status < 300, text]).toEqual([path, true, text])
    return text === '' ? null : JSON.parse(text)
  }
}

/** Rows are stored in the order in which they came: once a last event and a last recording are there, so is all before them. */
async function settle({ url, token, clickhouse }: Pick<AnalyticsProduct, 'url' | 'token' | 'clickhouse'>) {
  const last = uuidv7()
  const properties = { token, distinct_id: bystander, $process_person_profile: false }
  const recorded = { type: 4, data: { href: 'https://a.test/' }, timestamp: Date.now() }
  const message = { ...properties, $session_id: last, $snapshot_data: [recorded] }
  await post(`${url}/s/`, [{ uuid: last, event: '$snapshot', properties: message }])
  await post(`${url}/e/`, { uuid: last, event: 'last', properties })
  const text = `select (select count() from events where event = 'last' and uuid = {last:UUID})
    + (select count() from snapshots where session_id = {last:String}) as rows`
  await vi.waitFor(
    async () => {
      const [found] = await clickhouse.query<{ rows: string }>({ text, parameters: { last } })
      if (found?.rows !== '2') throw new Error('What was sent is not stored.')
    },
    { interval: 20, timeout: 30_000 },
  )
}

async function post(url: string, body: object): Promise<void> {
  const { status } = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  expect([url, status]).toEqual([url, 200])
}
