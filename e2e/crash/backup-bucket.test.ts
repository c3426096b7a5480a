import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDataDir, type Product, run, startProduct } from '../support/product.ts'
import { inDatabase } from '../support/ticks.ts'

/** More by `npm run trials`. */
const rounds = Math.min(20, Number(process.env.CLEW_TRIALS ?? 1))
const rows = 20_000
const target = 's3://backups/instance'

interface BucketServer {
  run(): Promise<{ readonly port: number }>
  close(): Promise<void>
}
// It brings no types.
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => BucketServer

let folder: string
let product: Product
let store: BucketServer
/** Before the store: takes so many objects, and then ends each connection that brings one. */
let gate: { readonly url: string; left: number; close(): void }

async function openGate(port: number): Promise<typeof gate> {
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (incoming.method === 'PUT' && opened.left === 0) return void incoming.socket.destroy()
    if (incoming.method === 'PUT') opened.left -= 1
    const { method, url, headers } = incoming
    const passed = request({ port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    passed.once('error', () => outgoing.destroy())
    incoming.pipe(passed)
  }
  const server = createServer(pass).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  const opened = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    left: Number.POSITIVE_INFINITY,
    close,
  }
  return opened
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-bucket-'))
  store = new S3rver({
    ...{ port: 0, address: '127.0.0.1', silent: true, directory: join(folder, 's3') },
    configureBuckets: [{ name: 'backups', configs: [] }],
  })
  gate = await openGate((await store.run()).port)
  product = await startProduct({ dataDir: await newDataDir(join(folder, 'data')) })
  await inDatabase(product, (client) =>
    client.query(`create table public.notes as select n, md5(n::text) as text from generate_series(1, ${rows}) n`),
  )
})
afterAll(async () => {
  await product?.stop()
  gate?.close()
  await store?.close()
  await rm(folder, { recursive: true, force: true })
})

const backup = (...args: readonly string[]) =>
  run(['backup', ...args, '--target', target], tmpdir(), {
    CLEW_BACKUP_PASSPHRASE: 'a passphrase of a test',
    CLEW_BACKUP_S3_ENDPOINT: gate.url,
    CLEW_BACKUP_S3_ACCESS_KEY_ID: 'S3RVER',
    CLEW_BACKUP_S3_SECRET_ACCESS_KEY: 'S3RVER',
  })
const ofProduct = (...args: readonly string[]) => backup(...args, '--data', product.dataDir)
const listed = async (): Promise<readonly string[]> =>
  (JSON.parse((await ofProduct('list', '--json')).stdout) as { id: string }[]).map(({ id }) => id)

test('a bucket that fails half-way, wherever, ends the backup with words; the next one is whole, and so is what it restores', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const before = await listed()
    // What is new each time, so that a later backup has objects to bring as well.
    await inDatabase(product, (client) =>
      client.query(`update public.notes set text = md5(random()::text) where n % ${rounds} = ${round}`),
    )
    gate.left = randomInt(before.length === 0 ? 20 : 4)
    const failed = await ofProduct('create')
    expect(failed).toMatchObject({ code: 22, stderr: expect.stringContaining('CLEW_BACKUP_TARGET') })
    gate.left = Number.POSITIVE_INFINITY
    expect(await listed()).toEqual(before)
    expect(await ofProduct('create')).toMatchObject({ code: 0 })
    expect((await listed()).length).toBe(before.length + 1)
  }
  expect(await ofProduct('verify')).toMatchObject({ code: 0 })

  const sums = (of: Pick<Product, 'dbUrl'>) =>
    inDatabase(of, async (client) => {
      const text = `select count(*)::int as count, md5(string_agg(text, '' order by n)) as sum from public.notes`
      return (await client.query<{ count: number; sum: string }>(text)).rows[0]
    })
  const to = join(folder, 'restored')
  expect(await backup('restore', '--to', to)).toMatchObject({ code: 0 })
  const expected = await sums(product)
  expect(expected?.count).toBe(rows)
  const copy = await startProduct({ dataDir: to })
  try {
    expect(await sums(copy)).toEqual(expected)
  } finally {
    await copy.close()
  }
}, 600_000)
