import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { startServer } from '../../engines/postgres/index.ts'
import { type Directory, directoryOf } from '../directory.ts'
import { type BeginUpgradeDeps, beginUpgrade } from './begin-upgrade.ts'
import { pruneDirectory } from './operate.ts'
import { listRestorePoints, stateFolder } from './restore-points.ts'
import { findVersionRecord, writeVersionRecord } from './version-record.ts'

const own = { version: '0.2.0', clickhouse: '3.4.0', migrations: ['postgres/notes/0001_notes'] }
const part = 'clickhouse/store/abc/uuid/all_1_1_0'
const files = [
  'keys.json',
  'spool/000000000001.segment',
  'storage/objects/ab/object',
  'storage/partial/upload',
  `${part}/data.bin`,
  `${part}/columns.txt`,
  'deno/module',
]

let directory: Directory
let reported: string[]

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-begin-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  directory = directoryOf(join(folder, 'data'))
  reported = []
  await mkdir(directory.sockets, { recursive: true, mode: 0o711 })
  onTestFinished(() => rm(directory.sockets, { recursive: true, force: true }))
  const place = {
    kind: 'embedded',
    dataDir: directory.postgres,
    socketDir: join(directory.sockets, 'postgres'),
  } as const
  await (await startServer({ ...place, port: null, password: '', log: () => undefined, poolSize: 0 })).stop()
  for (const path of files) {
    await mkdir(dirname(join(directory.data, path)), { recursive: true })
    await writeFile(join(directory.data, path), path)
  }
})

const begin = (changed: Partial<BeginUpgradeDeps['settings']['upgrade']> = {}, diskReserveMib = 0): Promise<void> =>
  beginUpgrade(directory, {
    settings: {
      instance: { databaseUrl: null, clickhouseUrl: null, diskReserveMib },
      upgrade: { keep: true, keepDays: 14, compareMib: 1, postgresBinaries: null, changesSeconds: 60, ...changed },
    },
    settleChanges: async () => undefined,
    own,
    now: () => new Date('2026-01-31T12:00:00Z'),
    report: (line) => reported.push(line),
    progress: () => undefined,
  })

const id = '20260131T120000000Z'
const inode = async (path: string): Promise<number> => (await stat(path)).ino

test('what never changes under its name is shared with the restore point, and all else is copied', async () => {
  await begin()
  const { data } = directory
  const state = stateFolder(data, id)
  for (const path of files.slice(0, -1)) {
    const isShared = (await inode(join(data, path))) === (await inode(join(state, path)))
    expect([path, isShared]).toEqual([path, /objects|\.bin$/.test(path)])
  }
  expect(await readdir(state)).toEqual(['clickhouse', 'keys.json', 'postgres', 'spool', 'storage'])
  const kept = { version: null, reason: 'upgrade', other: '0.2.0', largeTables: 0, result: null }
  expect(await listRestorePoints(data)).toMatchObject([{ id, ...kept }])
  expect(await findVersionRecord(data)).toEqual({ ...own, upgrade: { from: null, restorePoint: id } })
  expect(reported).toEqual([`The data of an earlier version are kept as restore point ${id}`])
})

test('the next start of an upgrade that did not end keeps nothing anew, and says that it goes on', async () => {
  await begin()
  await begin()
  expect(await listRestorePoints(directory.data)).toHaveLength(1)
  expect(reported.at(-1)).toBe('The upgrade from an earlier version goes on')
})

test('a disk without room is refused with numbers, and nothing is changed', async () => {
  await expect(begin({}, 2 ** 40)).rejects.toMatchObject({
    code: 'CLEW_UPGRADE_DISK',
    message: expect.stringMatching(/takes \d+ MiB, and \d+ MiB are free, of which 1099511627776 stay so/),
  })
  expect(await findVersionRecord(directory.data)).toBeNull()
  expect(await listRestorePoints(directory.data)).toEqual([])
})

test('files of PostgreSQL elsewhere are refused, and nothing is changed', async () => {
  const wal = join(directory.postgres, 'pg_wal')
  const elsewhere = join(dirname(directory.data), 'wal')
  await rename(wal, elsewhere)
  await symlink(elsewhere, wal)
  await expect(begin()).rejects.toMatchObject({
    code: 'CLEW_UPGRADE_PLACE',
    message: expect.stringContaining(`${wal} leads to files outside`),
  })
  expect(await findVersionRecord(directory.data)).toBeNull()
})

test('a folder that is a link is kept with what it leads to', async () => {
  const { data } = directory
  const elsewhere = join(dirname(data), 'storage')
  await rename(join(data, 'storage'), elsewhere)
  await symlink(elsewhere, join(data, 'storage'))
  await begin()
  expect((await stat(join(stateFolder(data, id), 'storage/objects/ab/object'))).isFile()).toBe(true)
})

test('without `keep` the upgrade begins, and the start says that there is no way back', async () => {
  await begin({ keep: false })
  expect(reported).toEqual(['Upgrade from an earlier version: no restore point is kept, as keep of [upgrade] is false'])
  expect(await findVersionRecord(directory.data)).toMatchObject({ upgrade: { from: null, restorePoint: null } })
  expect(await listRestorePoints(directory.data)).toEqual([])
})

test('restore points go when they are old, but for that of an upgrade that did not end', async () => {
  const { data } = directory
  await begin()
  const late = new Date('2026-02-14T12:00:01Z')
  const prune = (ids: readonly string[], now: Date) => pruneDirectory(data, { ids, keepDays: 14 }, now)
  expect(await prune([], late)).toEqual([])
  await expect(prune([id], late)).rejects.toMatchObject({ code: 'CLEW_UPGRADE_NEEDED' })
  await writeVersionRecord(data, { ...own, upgrade: null })
  expect(await prune([], new Date('2026-02-14T11:59:59Z'))).toEqual([])
  await expect(prune(['another'], late)).rejects.toMatchObject({ code: 'CLEW_UPGRADE_NO_POINT' })
  expect(await prune([], late)).toEqual([id])
  expect(await readdir(join(data, 'restore-points'))).toEqual([])
})
