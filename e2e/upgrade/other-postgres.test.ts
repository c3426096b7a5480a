import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCopiedServer } from '../../server/src/engines/postgres/index.ts'
import { compile } from '../../server/src/ground/sql/postgres.ts'
import { sql } from '../../server/src/ground/sql/sql.ts'
import { directoryOf } from '../../server/src/instance/directory.ts'
import { earlierBinaries, earlierMajor } from '../../server/test/earlier-postgres.ts'
import { signInOwner } from '../support/console-api.ts'
import { command, freePort, type Product, run, startProduct, until } from '../support/product.ts'
import { inDatabase } from '../support/ticks.ts'
import { inEarlier, makeEarlier } from './earlier-postgres.ts'
import { expectAnswers } from './expect-answers.ts'
import { clientOf, reader } from './fill.ts'
import { archiveOf, listKept, retention, unpack } from './kept.ts'
import type { Answers } from './read.ts'

const kills = Math.min(20, Number(process.env.CLEW_TRIALS ?? 1))
const [kept] = await listKept()
if (kept === undefined) throw new Error('No data directory is kept.')
const { version, sessionId, answers } = kept

let folder: string
/** As the kept version wrote it. */
let data: string
/** The kept data directory on the major version before ours, with a row change that no process has read yet. */
let earlier: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-major-'))
  await chmod(folder, 0o711)
  data = join(folder, 'data')
  earlier = join(folder, 'earlier')
  await unpack(archiveOf(version), data)
  await cp(data, earlier, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  await makeEarlier(earlier, folder)
  await inEarlier(earlier, folder, "update public.loans set due = '2030-02-28' where title = 'Jane Eyre'")
}, 240_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

const withBinaries = { ...retention, CLEW_UPGRADE_POSTGRES_BINARIES: earlierBinaries() }
const majorOf = async (dataDir: string): Promise<string> =>
  (await readFile(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8')).trim()

/** A copy of the earlier data for one test. */
async function copyOf(name: string): Promise<string> {
  const to = join(folder, name)
  await cp(earlier, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  return to
}

/** What was kept, with the change that was made since. */
function expected(): Answers {
  const { loans, history } = answers as {
    readonly loans: readonly { readonly title: string }[]
    readonly history: readonly { readonly title: string; readonly versions: readonly string[] }[]
  }
  const changed = ({ title }: { readonly title: string }) => title === 'Jane Eyre'
  return {
    ...answers,
    loans: loans.map((loan) => (changed(loan) ? { ...loan, due: '2030-02-28' } : loan)),
    history: history.map((row) => (changed(row) ? { ...row, versions: [...row.versions, 'update'] } : row)),
  }
}

interface History {
  readonly entries: readonly { readonly change: { readonly new: { readonly due: string } | null } }[]
}

/** The days that a loan was due, the oldest first. */
async function daysOf(product: Product): Promise<readonly (string | undefined)[]> {
  const api = await signInOwner(product)
  const [{ id = '' } = {}] = await inDatabase(product, async (client) => {
    const { rows } = await client.query<{ id: string }>(`select id from public.loans where title = 'Jane Eyre'`)
    return rows
  })
  const key = encodeURIComponent(JSON.stringify({ id }))
  const { entries } = await api.get<History>(`/data/public/loans/history?key=${key}&limit=10`)
  return entries.map(({ change }) => change.new?.due).reverse()
}

/** Three starts, two of which carry a database over. */
const longMs = 600_000

test('a start carries the data over, histories go on, and a rollback leads back', { timeout: longMs }, async () => {
  const upgraded = await copyOf('upgraded')
  const product = await startProduct({ dataDir: upgraded, env: withBinaries })
  try {
    expect(product.output()).toContain(`PostgreSQL ${earlierMajor} is 18 now`)
    expect(await majorOf(upgraded)).toBe('18')
    await expectAnswers(product, sessionId, expected())
    await inDatabase(product, (client) =>
      client.query(`update public.loans set due = '2030-03-31' where title = 'Jane Eyre'`),
    )
    const days = ['2030-01-31', '2030-01-31', '2030-02-28', '2030-03-31']
    await expect.poll(() => daysOf(product), { interval: 500 }).toEqual(days)
    const server = await openCopiedServer(join(directoryOf(upgraded).sockets, 'postgres'))
    const gaps = await server.query(compile(sql`select reason from clew.change_gaps`)).finally(() => server.close())
    expect(gaps).toEqual([])
  } finally {
    await product.stop()
  }
  const again = await startProduct({ dataDir: upgraded, env: retention })
  await again.stop()
  expect(again.output()).not.toContain('restore point')
  expect(await run(['upgrade', 'rollback', '--data', upgraded])).toMatchObject({ code: 0 })
  expect(await majorOf(upgraded)).toBe(String(earlierMajor))
  const forward = await startProduct({ dataDir: upgraded, env: withBinaries })
  try {
    await expectAnswers(forward, sessionId, expected())
  } finally {
    await forward.stop()
  }
})

test('without the earlier PostgreSQL the start is refused with what to do, and nothing is changed', async () => {
  const before = await readdir(earlier)
  const ports = ['--port', '0', '--console-port', '0', '--db-port', String(await freePort())]
  const refused = await run(['start', '--data', earlier, ...ports])
  expect(refused).toMatchObject({ code: 8, stderr: expect.stringContaining('CLEW_UPGRADE_BINARIES') })
  for (const words of [`is of PostgreSQL ${earlierMajor}`, 'npm install', 'docs/guide/upgrade.md'])
    expect(refused.stderr).toContain(words)
  expect(await readdir(earlier)).toEqual(before)
  expect(await majorOf(earlier)).toBe(String(earlierMajor))
})

test.each(Array.from({ length: kills }, (_, round) => round))(
  'kill %i: one that is killed on the way leaves the old data or the new ones, and the next start ends it',
  { timeout: longMs },
  async (round) => {
    const killed = await copyOf(`killed-${round}`)
    const ports = ['--port', '0', '--console-port', '0', '--db-port', '0']
    const env = { ...process.env, ...withBinaries }
    const child = spawn(command, ['start', '--data', killed, ...ports], { cwd: tmpdir(), stdio: 'ignore', env })
    const ended = once(child, 'exit')
    const files = randomInt(1, 2500)
    await until(async () => {
      const made = await readdir(join(killed, 'postgres.next.new'), { recursive: true }).catch(() => [])
      // It may have been faster.
      return made.length >= files || (await majorOf(killed).catch(() => '')) !== String(earlierMajor)
    }, 120_000)
    child.kill('SIGKILL')
    await ended
    const product = await startProduct({ dataDir: killed, env: withBinaries })
    try {
      expect(await majorOf(killed)).toBe('18')
      await expectAnswers(product, sessionId, expected())
    } finally {
      await product.stop()
    }
    expect((await readdir(killed)).filter((name) => name.startsWith('postgres'))).toEqual(['postgres'])
  },
)

/** What the guide says is carried over, as the reader and the database have it. */
async function carried(product: Product): Promise<object> {
  const client = clientOf(product)
  const { error } = await client.auth.signInWithPassword(reader)
  if (error !== null) throw error
  const loans = await client.from('loans').select('author, title, due, notes, returned').order('author')
  const cover = await client.storage.from('covers').download('bronte/jane-eyre.txt')
  return { loans: loans.data, cover: await cover.data?.text() }
}

test('an export carries rows, users and files into another instance', async () => {
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
