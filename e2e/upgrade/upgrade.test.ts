import { spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInOwner } from '../support/console-api.ts'
import { command, freePort, type Product, type RunResult, runProgram, startProduct, until } from '../support/product.ts'
import { type Acknowledged, eventsOf, inDatabase, sendEvents } from '../support/ticks.ts'
import { expectAnswers } from './expect-answers.ts'
import { archiveOf, listKept, retention, unpack } from './kept.ts'
import { buildNextVersion, nextVersion } from './next-version.ts'

const kills = Math.min(20, Number(process.env.CLEW_TRIALS ?? 1))
const [kept] = await listKept()
if (kept === undefined) throw new Error('No data directory is kept.')
const { version, sessionId, answers } = kept

let folder: string
/** Data that this version has written; each test takes a copy. */
let base: string
let next: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-upgrade-'))
  base = join(folder, 'base')
  await unpack(archiveOf(version), base)
  next = await buildNextVersion(join(folder, 'next'), {
    'services/notes/migrations/0900_next.sql':
      'alter table clew_notes.notes add column pinned boolean not null default false;',
    'services/replay/migrations/clickhouse/0900_next.sql':
      'alter table snapshots add column if not exists next UInt8 default 1;',
  })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Listed {
  readonly version: string | null
  readonly upgrade: object | null
  readonly restorePoints: readonly {
    readonly id: string
    readonly version: string | null
    readonly reason: string
    readonly copiedBytes: number
    readonly sharedBytes: number
    readonly rows: Readonly<Record<string, number>>
    readonly result: { readonly checks: readonly string[] } | null
  }[]
}

const upgrade = (data: string, ...args: readonly string[]): Promise<RunResult> =>
  runProgram(command, ['upgrade', ...args, '--data', data], tmpdir())
const listed = async (data: string): Promise<Listed> => JSON.parse((await upgrade(data, 'list', '--json')).stdout)
const start = (dataDir: string, program = command): Promise<Product> =>
  startProduct({ dataDir, program, env: retention })

/** A start that is to be refused. */
async function refused(program: string, data: string): Promise<RunResult> {
  const ports = ['--port', '0', '--console-port', '0', '--db-port', String(await freePort())]
  return runProgram(program, ['start', '--data', data, ...ports], tmpdir(), retention)
}

/** A copy of the base for one test. */
async function copyOf(name: string): Promise<string> {
  const data = join(folder, name)
  await cp(base, data, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  return data
}

async function whileRunning<T>(product: Product, body: () => Promise<T>): Promise<T> {
  try {
    return await body()
  } finally {
    await product.stop()
  }
}

const addAuthor = (product: Product, name: string) =>
  inDatabase(product, (client) => client.query('insert into public.authors (name) values ($1)', [name]))
const authors = (product: Product): Promise<readonly string[]> =>
  inDatabase(product, async (client) => {
    const { rows } = await client.query<{ name: string }>('select name from public.authors order by id')
    return rows.map(({ name }) => name)
  })

test('data that name no version are kept, opened, checked, and not kept again by the next start', async () => {
  const first = await start(base)
  await whileRunning(first, async () => expectAnswers(first, sessionId, answers))
  expect(first.output()).toContain('are kept as restore point')
  const { restorePoints, upgrade: unfinished } = await listed(base)
  expect(restorePoints).toMatchObject([
    {
      ...{ version: null, reason: 'upgrade' },
      rows: { 'auth.users': 1, 'public.loans': 2, 'public.authors': 3, 'storage.objects': 1 },
      result: {
        checks: [expect.any(String), expect.stringContaining('have the rows that they had'), expect.any(String)],
      },
    },
  ])
  // Parts and objects are the very files.
  expect(restorePoints[0]?.sharedBytes).toBeGreaterThan(0)
  expect(unfinished).toBeNull()
  const second = await start(base)
  await second.stop()
  expect(second.output()).not.toContain('restore point')
  expect(await upgrade(base, 'prune', restorePoints[0]?.id ?? '')).toMatchObject({ code: 0 })
  expect((await listed(base)).restorePoints).toEqual([])
})

test('a later version upgrades, an earlier one is refused then, and a rollback leads back and forward again', async () => {
  const data = await copyOf('there-and-back')
  const upgraded = await start(data, next)
  await whileRunning(upgraded, async () => {
    await expectAnswers(upgraded, sessionId, answers)
    await addAuthor(upgraded, 'of the later version')
    const running = await upgrade(data, 'rollback')
    expect(running).toMatchObject({ code: 3, stderr: expect.stringContaining('CLEW_START_RUNNING') })
  })
  const before = await listed(data)
  expect(before).toMatchObject({ version: nextVersion, upgrade: null, restorePoints: [{ version, reason: 'upgrade' }] })

  const old = await refused(command, data)
  expect(old).toMatchObject({ code: 23, stderr: expect.stringContaining('CLEW_START_NEWER_DATA') })
  for (const word of [nextVersion, version, 'postgres/notes/0900_next', 'clew upgrade rollback'])
    expect(old.stderr).toContain(word)

  expect(await upgrade(data, 'rollback')).toMatchObject({ code: 0, stderr: '' })
  const back = await start(data)
  await whileRunning(back, async () => {
    await expectAnswers(back, sessionId, answers)
    expect(await authors(back)).toEqual(['Brontë', 'Чехов', '紫式部'])
  })

  const [aside] = (await listed(data)).restorePoints
  expect(aside).toMatchObject({ version: nextVersion, reason: 'rollback' })
  expect(await upgrade(data, 'rollback', aside?.id ?? '', '--discard')).toMatchObject({ code: 0, stderr: '' })
  const forward = await start(data, next)
  await whileRunning(forward, async () => expect(await authors(forward)).toContain('of the later version'))
  expect((await listed(data)).restorePoints).toEqual([])
})

test.each([
  [
    'a migration that fails',
    'alter table clew_notes.nowhere add column pinned boolean;',
    'Migration notes/0900_next failed',
  ],
  [
    'a migration that takes rows of the application along',
    'delete from public.loans where returned;',
    'public.loans has 1 rows, and had 2.',
  ],
])('%s ends the start, which names the way back', async (name, statement, reason) => {
  const data = await copyOf(`broken-${name.length}`)
  const broken = await buildNextVersion(join(folder, `broken-build-${name.length}`), {
    'services/notes/migrations/0900_next.sql': statement,
  })
  const failed = await refused(broken, data)
  expect(failed).toMatchObject({ code: 24, stderr: expect.stringContaining(reason) })
  const { upgrade: unfinished, restorePoints } = await listed(data)
  expect(unfinished).toMatchObject({ from: version, restorePoint: restorePoints[0]?.id })
  for (const word of ['CLEW_START_UPGRADE', restorePoints[0]?.id ?? '', 'clew upgrade rollback'])
    expect(failed.stderr).toContain(word)
  // A second attempt keeps the way back, and makes no other.
  expect(await refused(broken, data)).toMatchObject({ code: 24 })
  expect((await listed(data)).restorePoints.map(({ id }) => id)).toEqual([restorePoints[0]?.id])
  expect(await upgrade(data, 'prune', restorePoints[0]?.id ?? '')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('CLEW_UPGRADE_NEEDED'),
  })

  expect(await upgrade(data, 'rollback')).toMatchObject({ code: 0, stderr: '' })
  const back = await start(data)
  await whileRunning(back, async () => expectAnswers(back, sessionId, answers))
})

test.each(Array.from({ length: kills }, (_, round) => round))(
  'kill %i: one that is killed while it keeps the data leaves them to the earlier version, and to the next attempt',
  async (round) => {
    const data = await copyOf(`killed-${round}`)
    const ports = ['--port', '0', '--console-port', '0', '--db-port', '0']
    const child = spawn(next, ['start', '--data', data, ...ports], { cwd: tmpdir(), stdio: 'ignore' })
    const ended = once(child, 'exit')
    const files = randomInt(1, 900)
    const points = join(data, 'restore-points')
    await until(async () => {
      const [name, ...others] = await readdir(points).catch(() => [])
      // It may have been faster.
      if (name === undefined) return false
      if (!name.endsWith('.draft') || others.length > 0) return true
      return (await readdir(join(points, name), { recursive: true }).catch(() => [])).length >= files
    }, 60_000)
    child.kill('SIGKILL')
    await ended
    const { version: writer, upgrade: unfinished, restorePoints } = await listed(data)
    if (writer === version) {
      expect(unfinished).toBeNull()
      const old = await start(data)
      await whileRunning(old, async () => expectAnswers(old, sessionId, answers))
    } else expect(unfinished).toMatchObject({ restorePoint: restorePoints[0]?.id })
    const upgraded = await start(data, next)
    await whileRunning(upgraded, async () => expectAnswers(upgraded, sessionId, answers))
    expect((await listed(data)).restorePoints).toMatchObject([{ result: expect.any(Object) }])
    expect(await readdir(points)).toHaveLength(1)
  },
)

test('data of one that was killed while it served are upgraded with all that it had answered', async () => {
  const data = await copyOf('killed-serving')
  const served = await start(data)
  const acknowledged: Acknowledged = { rows: [], events: [] }
  const visit = randomUUID()
  for (let batch = 0; batch < 10; batch += 1) await sendEvents(served, visit, acknowledged)
  await addAuthor(served, 'of the last moment')
  // Its engines end a moment after it.
  served.child.kill('SIGKILL')
  const upgraded = await start(data, next)
  await whileRunning(upgraded, async () => {
    expect(await authors(upgraded)).toContain('of the last moment')
    const api = await signInOwner(upgraded)
    await until(async () => (await eventsOf(api, visit)).length === acknowledged.events.length)
    expect([...(await eventsOf(api, visit))].sort()).toEqual([...acknowledged.events].sort())
  })
  expect(await listed(data)).toMatchObject({ version: nextVersion, upgrade: null })
})

test('several workers upgrade as one does', async () => {
  const data = await copyOf('workers')
  const upgraded = await startProduct({ dataDir: data, program: next, env: retention, args: ['--workers', '2'] })
  await whileRunning(upgraded, async () => expectAnswers(upgraded, sessionId, answers))
  expect(await listed(data)).toMatchObject({ version: nextVersion, upgrade: null, restorePoints: [{ result: {} }] })
})
