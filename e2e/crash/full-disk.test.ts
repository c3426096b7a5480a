import { randomUUID } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBells, listenToBells, ring, whyNotJoined } from '../support/bells.ts'
import { claimOwner } from '../support/console-api.ts'
import { mayMount, mount, unmount } from '../support/disk.ts'
import { type Product, run, startProduct, until } from '../support/product.ts'
import {
  type Acknowledged,
  createTicks,
  eventsOf,
  inDatabase,
  insertRow,
  sendEvents,
  signUp,
} from '../support/ticks.ts'

const mib = 1024 ** 2

/** Takes what is free of a disk, down to its last page. */
async function fill(file: string): Promise<void> {
  for (let size = 64 * mib; size >= 4096; size /= 2) {
    const piece = Buffer.alloc(size, 1)
    const written = (): Promise<boolean> =>
      writeFile(file, piece, { flag: 'a' }).then(
        () => true,
        () => false,
      )
    while (await written());
  }
}

const createWork = `
  create extension pgmq; create extension pg_cron;
  select pgmq.create('work');
  create table public.beats (at timestamptz default now());
  select cron.schedule('beat', '1 second', 'insert into public.beats default values')`

const text = (lines: number): string => `(select string_agg(md5(n::text), '') from generate_series(1, ${lines}) n)`
const largeMigration = `create table public.large as select n, md5(n::text) from generate_series(1, 300000) n;`

/** Work that no room is left for, each in one statement; with how much of it is there. */
const large = {
  message: [
    `select pgmq.send('work', jsonb_build_object('x', ${text(300_000)}))`,
    'select count(*)::int as n from pgmq.q_work',
  ],
  secrets: [
    `select vault.create_secret(md5(n::text), 'large ' || n) from generate_series(1, 3000) n`,
    `select count(*)::int / 3000 as n from vault.secrets where name like 'large %'`,
  ],
  request: [
    `select net.http_post('http://127.0.0.1:1/', jsonb_build_object('x', ${text(100_000)}))`,
    'select (select count(*) from net.http_request_queue)::int + (select count(*) from net._http_response)::int as n',
  ],
  job: [
    `select cron.schedule('large', '0 0 1 1 *', ${text(100_000)})`,
    `select count(*)::int as n from cron.job where jobname = 'large'`,
  ],
} as const

/** How much of the large work is there, and whether the migration is: its table and its history. */
const largeThere = (product: Product): Promise<readonly number[]> =>
  inDatabase(product, async (client) => {
    const counts = [
      ...Object.values(large).map(([, count]) => count),
      `select (to_regclass('public.large') is not null)::int as n`,
      `select count(*)::int as n from supabase_migrations.schema_migrations`,
    ]
    const found: number[] = []
    for (const count of counts) found.push((await client.query<{ n: number }>(count)).rows[0]?.n ?? -1)
    return found
  })

/** With a full disk each is refused by PostgreSQL's code for it, and nothing of it is there. */
async function expectLargeRefused(product: Product, up: readonly string[]): Promise<void> {
  for (const [work] of Object.values(large)) {
    const refused = inDatabase(product, (client) => client.query(work))
    await expect(refused).rejects.toMatchObject({ code: '53100' })
  }
  const { code, stderr } = await run(up)
  expect(code).not.toBe(0)
  expect(stderr).toContain('No space left on device')
}

/** A message that SQL sends is not sent, and says so; who may hear is not told that they may not. */
async function expectMessagesRefused(product: Product): Promise<void> {
  expect(await ring(product, 2, 4 * mib)).toMatch(/^the message is not sent: .*No space left on device/)
  expect([null, expect.stringContaining('unable to connect to the project database')]).toContainEqual(
    await whyNotJoined(product),
  )
}

/** With room again each is done, once, and the job that could not write runs on. */
async function expectLargeDone(product: Product, up: readonly string[]): Promise<void> {
  expect(await largeThere(product)).toEqual([0, 0, 0, 0, 0, 0])
  const beats = () => inDatabase(product, async (client) => (await client.query('select from public.beats')).rowCount)
  const before = (await beats()) ?? 0
  for (const [work] of Object.values(large)) await inDatabase(product, (client) => client.query(work))
  expect(await run(up)).toMatchObject({ code: 0, stderr: '' })
  expect(await largeThere(product)).toEqual([1, 1, 1, 1, 1, 1])
  await until(async () => ((await beats()) ?? 0) > before)
}

test.runIf(mayMount)(
  'a disk that fills up while it runs: writes are refused, nothing acknowledged is lost, and with room it goes on (needs to mount one)',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'clew-full-'))
    const project = await mkdtemp(join(tmpdir(), 'clew-full-project-'))
    await mkdir(join(project, 'supabase', 'migrations'), { recursive: true })
    mount(dataDir, 'size=900m')
    await chmod(dataDir, 0o755)
    try {
      // Down to the last byte: with a reserve events would be refused before.
      const product = await startProduct({ dataDir, project, env: { CLEW_DISK_RESERVE_MIB: '0' } })
      const api = await claimOwner(product)
      await inDatabase(product, (client) => client.query(`${createTicks}; ${createWork}; ${createBells}`))
      const bells = await listenToBells(product)
      expect(await ring(product, 1)).toBeNull()
      await writeFile(join(project, 'supabase', 'migrations', '20250101000000_large.sql'), largeMigration)
      const up = ['migration', 'up', '--project', project, '--data', dataDir]
      const token = await signUp(product)
      const sessionId = randomUUID()
      const acknowledged: Acknowledged = { rows: [], events: [] }
      const refusals: string[] = []
      const diskState = async () =>
        (await api.get<{ engines: readonly { name: string; state: string }[] }>('/instance')).engines.find(
          ({ name }) => name === 'disk',
        )
      let n = 0
      const write = async (): Promise<void> => {
        n += 1
        await Promise.all(
          [insertRow(product, n, { token, sessionId }, acknowledged), sendEvents(product, sessionId, acknowledged)].map(
            (one) => one.catch((error: unknown) => refusals.push(String(error))),
          ),
        )
      }
      for (let i = 0; i < 20; i += 1) await write()
      expect(refusals).toEqual([])
      const filler = join(dataDir, 'filler')
      await fill(filler)
      // The files hold some room that they have taken before: many small writes until it is used.
      await until(async () => {
        for (let i = 0; i < 20; i += 1) await write()
        return ['53100', 'CLEW_INGEST_UNWRITABLE'].every((code) => refusals.some((one) => one.includes(code)))
      }, 150_000)
      for (const refusal of refusals) expect(refusal).toContain('Error: 503')
      expect(await diskState()).toMatchObject({ state: 'down' })
      await expectMessagesRefused(product)
      await expectLargeRefused(product, up)

      await rm(filler)
      refusals.length = 0
      const before = { rows: acknowledged.rows.length, events: acknowledged.events.length }
      await until(async () => {
        await write()
        return acknowledged.rows.length > before.rows && acknowledged.events.length > before.events
      })
      await expectLargeDone(product, up)
      expect(await whyNotJoined(product)).toBeNull()
      expect(await ring(product, 3, 10_000)).toBeNull()
      await until(() => bells.heard.has(3))
      expect([...bells.heard]).toEqual([1, 3])
      await bells.close()
      const { rows } = await inDatabase(product, (client) => client.query<{ n: number }>('select n from public.ticks'))
      const stored = new Set(rows.map((row) => row.n))
      expect(stored.size).toBe(rows.length)
      expect(acknowledged.rows.filter((row) => !stored.has(row.n))).toEqual([])
      let seen: readonly string[] = []
      await until(async () => {
        seen = await eventsOf(api, sessionId)
        return acknowledged.events.every((uuid) => seen.includes(uuid))
      })
      expect(seen.length).toBe(new Set(seen).size)
      await until(async () => (await diskState())?.state !== 'down')
      expect(await product.stop()).toBe(0)
    } finally {
      unmount(dataDir)
      await rm(dataDir, { recursive: true, force: true })
      await rm(project, { recursive: true, force: true })
    }
  },
)

test.runIf(mayMount)(
  'below the reserve events are refused and rows are written; with room both are taken again (needs to mount one)',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'clew-reserve-'))
    mount(dataDir, 'size=900m')
    await chmod(dataDir, 0o755)
    try {
      const product = await startProduct({ dataDir, env: { CLEW_DISK_RESERVE_MIB: '100', CLEW_FREE_DISK_MIB: '100' } })
      const api = await claimOwner(product)
      await inDatabase(product, (client) => client.query(createTicks))
      const token = await signUp(product)
      const sessionId = randomUUID()
      const acknowledged: Acknowledged = { rows: [], events: [] }
      await sendEvents(product, sessionId, acknowledged)
      const filler = join(dataDir, 'filler')
      const { bavail, bsize } = await statfs(dataDir)
      await writeFile(filler, Buffer.alloc(bavail * bsize - 60 * mib, 1))
      const refusal = () => sendEvents(product, sessionId, acknowledged).then(() => null, String)
      await until(async () => (await refusal())?.includes('CLEW_INGEST_FULL') === true)
      await insertRow(product, 1, { token, sessionId }, acknowledged)
      const disk = await api.get<{ readonly isShort: boolean }>('/disk')
      expect([acknowledged.rows.length, disk.isShort]).toEqual([1, true])
      expect((await fetch(`${product.apiUrl}/health/ready`)).status).toBe(200)
      await rm(filler)
      await until(async () => (await refusal()) === null)
      expect(await product.stop()).toBe(0)
    } finally {
      unmount(dataDir)
      await rm(dataDir, { recursive: true, force: true })
    }
  },
)
