import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type CopiedServer, openCopiedServer, recoverCluster, startServer } from '../../../engines/postgres/index.ts'
import { createThreads } from '../../../engines/threads/index.ts'
import { listIds } from '../copies/manifest.ts'
import { createBackup } from '../create.ts'
import { pruneBackups } from '../prune.ts'
import { restoreBackup } from '../restore.ts'
import { openFolderTarget } from '../target/folder-target.ts'
import { openTarget as openAnyTarget } from '../target/open-target.ts'
import type { BackupTarget } from '../target/target.ts'
import { keepWal } from './keep-wal.ts'
import { listParts, putPart } from './parts.ts'
import { dropSlotStatement, readSlotStatement, type SlotFacts } from './slot.ts'
import type { Stretch } from './stretch.ts'
import { readLog } from './wal-state.ts'

const version = '0.1.0'
const settings = { passphrase: null, mibPerSecond: null, compareMib: 0, walSeconds: 1 }
const clocks = { now: () => new Date(), nowMs: () => performance.now() }

let folder: string
let source: Awaited<ReturnType<typeof openServer>>

/** A server on a folder, made when it is absent. */
async function openServer(dataDir: string) {
  const socketDir = await mkdtemp(join(tmpdir(), 'clew-s-'))
  const place = { kind: 'embedded', dataDir, socketDir, port: null, password: '', log: () => undefined } as const
  const running = await startServer({ ...place, poolSize: 0 })
  const server = await openCopiedServer(socketDir)
  return {
    server,
    async close(): Promise<void> {
      await server.close()
      await running.stop()
      await rm(socketDir, { recursive: true })
    },
  }
}

const statement = (text: string) => ({ text, values: [] })
const run = (server: CopiedServer, text: string) => server.query(statement(text))

/** Writes the next rows, in a transaction each; a moment between the last commit and those that come later. */
async function write(from: number, to: number): Promise<Date> {
  const { server } = source
  for (let n = from; n <= to; n += 1) await run(server, `insert into public.ticks values (${n})`)
  const [row] = await server.query<{ at: Date }>(statement('select clock_timestamp() as at'))
  if (row === undefined) throw new Error('no clock')
  // The database counts parts of a millisecond: what is committed next could still be before its end.
  const moment = new Date(row.at.getTime() + 1)
  await run(server, `select pg_sleep_until('${moment.toISOString()}'::timestamptz + interval '1 microsecond')`)
  return moment
}

/** A target of its own, an empty table, and no slot of before. */
async function openTarget(kind: 'folder' | 'bucket' = 'folder'): Promise<BackupTarget> {
  await run(source.server, 'truncate public.ticks')
  await released()
  await source.server.query(dropSlotStatement())
  if (kind === 'bucket') return openBucket()
  const place = await mkdtemp(join(folder, 'target-'))
  onTestFinished(() => rm(place, { recursive: true }))
  return openFolderTarget(place)
}

interface BucketServer {
  run(): Promise<{ readonly port: number }>
  close(): Promise<void>
}

/** A bucket of a server that speaks S3, which brings no types. */
async function openBucket(): Promise<BackupTarget> {
  const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => BucketServer
  const server = new S3rver({
    ...{ port: 0, address: '127.0.0.1', silent: true, directory: await mkdtemp(join(folder, 's3-')) },
    configureBuckets: [{ name: 'backups', configs: [] }],
  })
  const { port } = await server.run()
  onTestFinished(() => server.close())
  const target = await openAnyTarget({
    ...{ folder: null, s3Bucket: 'backups', s3Prefix: 'shop/', s3Region: 'us-east-1', s3ForcePathStyle: true },
    ...{ s3Endpoint: `http://127.0.0.1:${port}`, s3AccessKeyId: 'S3RVER', s3SecretAccessKey: 'S3RVER' },
  })
  onTestFinished(() => target.close())
  return target
}

/** Waits until no connection reads the slot: PostgreSQL notices a while later that one has ended. */
async function released(): Promise<void> {
  const readers = async () =>
    (await source.server.query<SlotFacts>(readSlotStatement())).filter((slot) => slot.isActive)
  await expect.poll(readers).toEqual([])
}

/** Keeps the log until `stop`; `until` waits for a moment to be kept. */
function keep(target: BackupTarget) {
  const stopping = new AbortController()
  const seen: Stretch[] = []
  const kept = (stretch: Stretch): void => void seen.push(stretch)
  const ended = keepWal(source.server, { target, settings, ...clocks, signal: stopping.signal, kept })
  // Told to those who wait.
  ended.catch(() => undefined)
  const stop = async (): Promise<void> => {
    stopping.abort()
    await ended
    await released()
  }
  onTestFinished(() => stop().catch(() => undefined))
  const isKept = (at: Date): boolean => seen.some(({ untilAt }) => untilAt !== null && new Date(untilAt) >= at)
  return { ended, stop, until: (at: Date) => expect.poll(() => isKept(at), { timeout: 60_000 }).toBe(true) }
}

const backUp = (target: BackupTarget) => {
  const rest = {
    clickhouse: null,
    spool: join(folder, 'spool'),
    storage: null,
    secrets: {},
    versionRecord: null,
    leftOut: [],
  }
  return createBackup(
    { postgres: source.server, ...rest },
    { target, settings, version, ...clocks, progress: () => undefined },
  )
}

const threads = createThreads()
afterAll(() => threads.close())

/** The rows of a restored copy. */
async function restoredAt(target: BackupTarget, at: Date | 'latest') {
  const to = join(await mkdtemp(join(folder, 'restored-')), 'copy')
  const recover = async (dataDir: string, until: Date | null) => {
    const socketDir = await mkdtemp(join(tmpdir(), 'clew-s-'))
    const place = { kind: 'embedded', dataDir, socketDir, port: null, password: '', log: () => undefined } as const
    return recoverCluster(place, until).finally(() => rm(socketDir, { recursive: true }))
  }
  const input = { id: null, at, to, passphrase: null, withoutKeys: true }
  const deps = {
    target,
    version,
    threads,
    recover,
    flush: null,
    joinKeys: (keys: Buffer) => keys,
    progress: () => undefined,
  }
  const { committedAt } = await restoreBackup(input, deps)
  const copy = await openServer(join(to, 'postgres'))
  try {
    const rows = await copy.server.query<{ n: number }>(statement('select n from public.ticks order by n'))
    return { numbers: rows.map(({ n }) => n), committedAt }
  } finally {
    await copy.close()
    await rm(to, { recursive: true })
  }
}

const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, at) => at + 1)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-wal-'))
  source = await openServer(join(folder, 'data'))
  await run(source.server, 'create table public.ticks (n int primary key)')
})
afterAll(async () => {
  await source?.close()
  await rm(folder, { recursive: true, force: true })
})

test.each(['folder', 'bucket'] as const)(
  'in a %s: any moment after a backup is restored to its last commit, over a pause of what keeps the log',
  async (kind) => {
    const target = await openTarget(kind)
    const first = keep(target)
    await backUp(target)
    await first.until(await write(1, 30))
    await first.stop()

    // What is written meanwhile is held by the slot.
    const paused = await write(31, 40)
    const second = keep(target)
    await second.until(await write(41, 50))
    await second.stop()
    expect(await readLog(target)).toEqual([expect.objectContaining({ ended: null, since: null })])

    expect((await restoredAt(target, paused)).numbers).toEqual(upTo(40))
    const latest = await restoredAt(target, 'latest')
    expect(latest.numbers).toEqual(upTo(50))
    expect(latest.committedAt?.getTime()).toBeGreaterThan(paused.getTime())
    const later = new Date(Date.now() + 3_600_000)
    await expect(restoredAt(target, later)).rejects.toMatchObject({ code: 'CLEW_BACKUP_NO_LOG' })
  },
  // A server of buckets for tests takes its time.
  240_000,
)

test('segments are kept whole, and a clean-up removes those before the oldest backup', async () => {
  const target = await openTarget()
  const keeping = keep(target)
  await backUp(target)
  for (let n = 1; n <= 3; n += 1) {
    await write(n, n)
    await run(source.server, 'select pg_switch_wal()')
  }
  await backUp(target)
  await keeping.until(await write(4, 4))
  await keeping.stop()
  const [first = ''] = await listIds(target)
  const rules = { keepDaily: 1, keepWeekly: 0, keepMonthly: 0, walDays: 7, budgetBytes: null }
  const pruned = await pruneBackups(target, rules, { ids: [first], isDryRun: false })
  expect(pruned.logParts).toBeGreaterThanOrEqual(3)
  expect(await readLog(target)).toEqual([expect.objectContaining({ since: expect.any(String) })])
  expect((await restoredAt(target, 'latest')).numbers).toEqual(upTo(4))
})

test('another process is refused while one keeps the log', async () => {
  const target = await openTarget()
  await keep(target).until(await write(1, 1))
  await expect(keep(target).ended).rejects.toMatchObject({ code: 'CLEW_BACKUP_BUSY' })
})

test('a target that refuses ends it with words; what was not kept is once the target takes it', async () => {
  const target = await openTarget()
  let isFull = false
  const full: BackupTarget = {
    ...target,
    put: async (name, bytes) => {
      if (isFull) throw new Error('No space left')
      await target.put(name, bytes)
    },
  }
  const failing = keep(full)
  await failing.until(await write(1, 5))
  await backUp(target)
  isFull = true
  await write(6, 10)
  await expect(failing.ended).rejects.toThrow('No space left')
  await released()
  isFull = false
  const again = keep(full)
  await again.until(await write(11, 11))
  await again.stop()
  expect((await restoredAt(target, 'latest')).numbers).toEqual(upTo(11))
})

test('log that PostgreSQL no longer had is a gap that is told: a moment in it is refused', async () => {
  const target = await openTarget()
  const before = keep(target)
  await backUp(target)
  await before.until(await write(1, 1))
  await before.stop()
  await source.server.query(dropSlotStatement())
  const lost = await write(2, 2)
  for (let segment = 0; segment < 2; segment += 1) {
    await run(source.server, 'select pg_switch_wal()')
    await run(source.server, 'checkpoint')
  }
  const after = keep(target)
  await after.until(await write(3, 3))
  await after.stop()
  expect(await readLog(target)).toEqual([
    expect.objectContaining({ ended: expect.stringContaining('no more of the log') }),
    expect.objectContaining({ ended: null }),
  ])
  await expect(restoredAt(target, lost)).rejects.toMatchObject({ code: 'CLEW_BACKUP_NO_LOG' })
})

test('the log of a data directory that was put back does not mix with that of before', async () => {
  const target = await openTarget()
  const before = keep(target)
  await before.until(await write(1, 1))
  await before.stop()
  const [stretch] = await readLog(target)
  if (stretch === undefined) throw new Error('no log')
  const parts = await listParts(target, stretch.id)
  const last = parts.at(-1)
  if (last === undefined) throw new Error('no parts')
  // What another life of the server would have written there.
  await putPart(target, stretch.id, last, Buffer.alloc(last.to - last.from, 1), async () => undefined)
  const after = keep(target)
  await after.until(await write(2, 2))
  await after.stop()
  expect(await readLog(target)).toEqual([
    expect.objectContaining({ id: stretch.id, ended: expect.stringContaining('put back') }),
    expect.objectContaining({ ended: null }),
  ])
})
