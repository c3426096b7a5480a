import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, type Product, run, startProduct } from '../support/product.ts'
import { clientOf, reader } from './fill.ts'
import { archiveOf, listKept, retention, unpack } from './kept.ts'

const [kept] = await listKept()
if (kept === undefined) throw new Error('No data directory is kept.')
const { version, answers } = kept

let folder: string
let data: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-other-postgres-'))
  data = join(folder, 'data')
  await unpack(archiveOf(version), data)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('files of another major version of PostgreSQL are refused with what to do, and nothing is changed', async () => {
  const other = join(folder, 'other')
  await cp(data, other, { recursive: true, verbatimSymlinks: true })
  await writeFile(join(other, 'postgres', 'PG_VERSION'), '17\n')
  const before = await readdir(other)
  const ports = ['--port', '0', '--console-port', '0', '--db-port', String(await freePort())]
  const refused = await run(['start', '--data', other, ...ports])
  expect(refused).toMatchObject({ code: 9, stderr: expect.stringContaining('POSTGRES_DATA_DIR_OF_ANOTHER_VERSION') })
  for (const words of ['is of 17, the server is', 'clew export', 'docs/guide/upgrade.md'])
    expect(refused.stderr).toContain(words)
  expect(await readdir(other)).toEqual(before)
  expect(await readFile(join(other, 'postgres', 'PG_VERSION'), 'utf8')).toBe('17\n')
})

/** What the guide says is carried over, as the reader and the database have it. */
async function carried(product: Product): Promise<object> {
  const client = clientOf(product)
  const { error } = await client.auth.signInWithPassword(reader)
  if (error !== null) throw error
  const loans = await client.from('loans').select('author, title, due, notes, returned').order('author')
  const cover = await client.storage.from('covers').download('bronte/jane-eyre.txt')
  return { loans: loans.data, cover: await cover.data?.text() }
}

test('the guide’s commands carry rows, users and files over by way of an export', async () => {
  const moved = join(folder, 'moved')
  const old = await startProduct({ dataDir: data, env: retention })
  try {
    expect(await run(['export', '--to', moved, '--with-secrets', '--data', data])).toMatchObject({ code: 0 })
  } finally {
    await old.stop()
  }
  const to = join(folder, 'new')
  await mkdir(to)
  await cp(join(data, 'keys.json'), join(to, 'keys.json'))
  const product = await startProduct({ dataDir: to })
  try {
    // Its report names what of the platform's own has no place.
    await run(['import', 'supabase', '--from-file', join(moved, 'dump.sql'), '--data', to])
    const { loans, cover } = answers
    expect(await carried(product)).toEqual({ loans, cover })
  } finally {
    await product.stop()
  }
})
