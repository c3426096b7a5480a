import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { directoryOf } from '../../src/instance/directory.ts'
import { beginUpgrade } from '../../src/instance/upgrade/begin-upgrade.ts'
import { rollBackDirectory } from '../../src/instance/upgrade/operate.ts'
import { listRestorePoints, pointFolder, stateFolder, writePoint } from '../../src/instance/upgrade/restore-points.ts'
import { hasUnfinishedRollBack } from '../../src/instance/upgrade/roll-back.ts'
import { compiled } from '../compiled.ts'

const id = '20260131T120000000Z'
const newer = { 'keys.json': 'keys', 'postgres/base/1': 'new rows', 'spool/a': 'spooled', 'maps/tiles': 'of 0.2.0' }
const older = { 'keys.json': 'keys', 'postgres/base/1': 'old rows', 'clickhouse/store/p': 'part' }

let folder: string
let data: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-roll-back-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(async () => {
  data = await mkdtemp(join(folder, 'data-'))
  await makeDirectory()
})

/** The data of 0.2.0, and beside them those of 0.1.0. */
async function makeDirectory(): Promise<void> {
  await write(data, newer)
  await write(stateFolder(data, id), older)
  await writePoint(pointFolder(data, id), {
    ...{ id, at: '2026-01-31T12:00:00.000Z', version: '0.1.0', reason: 'upgrade', other: '0.2.0' },
    ...{ copiedBytes: 10, sharedBytes: 0, rows: {}, largeTables: 0, result: null },
  })
}

async function write(to: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(to, path)), { recursive: true })
    await writeFile(join(to, path), text)
  }
}

/** The files of a folder, but for what the room itself keeps there. */
async function filesOf(from: string): Promise<Record<string, string>> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const own = paths.filter((path) => !/^(restore-points|rollback|clew\.lock)/.test(path.slice(from.length + 1)))
  return Object.fromEntries(
    await Promise.all(own.map(async (path) => [path.slice(from.length + 1), await readFile(path, 'utf8')] as const)),
  )
}

const rollBackWith = (id: string | null, discards = false) =>
  rollBackDirectory(directoryOf(data), { id, discards }, new Date())

/** Rolls back in a process that is killed before its n-th change of the disk. @returns whether it was */
async function killBefore(step: number): Promise<boolean> {
  const child = fork(compiled('test/crash/roll-back-process'), [data, id, String(step)], { execArgv: [] })
  const [code, signal] = await once(child, 'exit')
  expect(code ?? signal).toBe(signal === null ? 0 : 'SIGKILL')
  return signal !== null
}

/** A start, which looks at the version first. */
const start = () =>
  beginUpgrade(directoryOf(data), {
    settings: {
      instance: { databaseUrl: null, clickhouseUrl: null, diskReserveMib: 0 },
      upgrade: { keep: true, keepDays: 14, compareMib: 1, postgresBinaries: null, changesSeconds: 60 },
    },
    settleChanges: async () => undefined,
    own: { version: '0.2.0', clickhouse: '3.4.0', migrations: [] },
    now: () => new Date(),
    report: () => undefined,
    progress: () => undefined,
  })

test('a rollback puts the kept data back, and keeps what was there as a restore point that leads forward again', async () => {
  const back = await rollBackWith(null)
  expect(back).toMatchObject({ to: { id, version: '0.1.0' } })
  expect(await filesOf(data)).toEqual(older)
  expect(await listRestorePoints(data)).toMatchObject([{ id: back.aside, reason: 'rollback', other: '0.1.0' }])
  expect(await rollBackWith(back.aside, true)).toMatchObject({ aside: null })
  expect(await filesOf(data)).toEqual(newer)
  expect(await listRestorePoints(data)).toEqual([])
  await expect(rollBackWith(null)).rejects.toMatchObject({ code: 'CLEW_UPGRADE_NO_POINT' })
})

test('killed before any of its steps, a rollback is refused by a start and ended by the next one', {
  timeout: 180_000,
}, async () => {
  const seen = { before: 0, between: 0, after: 0 }
  for (let step = 0; await killBefore(step); step += 1) {
    if (await hasUnfinishedRollBack(data)) {
      seen.between += 1
      await expect(start()).rejects.toMatchObject({ code: 'CLEW_START_ROLLBACK' })
      // Whatever is asked for, what has begun is ended.
      await rollBackWith('another')
    } else if ((await listRestorePoints(data)).some((point) => point.id === id)) {
      seen.before += 1
      expect(await filesOf(data)).toEqual(newer)
      await rollBackWith(id)
    } else seen.after += 1
    await expectRolledBack()
    await rm(data, { recursive: true })
    await makeDirectory()
  }
  await expectRolledBack()
  expect(seen).toEqual({ before: 1, between: expect.any(Number), after: 1 })
  // The names of both states, what is set aside, and the journal.
  expect(seen.between).toBeGreaterThan(Object.keys({ ...newer, ...older }).length)
})

async function expectRolledBack(): Promise<void> {
  expect(await filesOf(data)).toEqual(older)
  const [aside, ...others] = await listRestorePoints(data)
  expect(others).toEqual([])
  expect(await filesOf(stateFolder(data, aside?.id ?? ''))).toEqual(newer)
}
