import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createArchiveWriter } from './copies/archive-writer.ts'
import { noPieces } from './copies/known-pieces.ts'
import { listIds, type Manifest, writeManifest } from './copies/manifest.ts'
import { timeOfId } from './keep.ts'
import { measureTarget } from './measure-target.ts'
import { pruneBackups } from './prune.ts'
import { openFolderTarget } from './target/folder-target.ts'
import { writeVerification } from './verify/record.ts'
import { putPart } from './wal/parts.ts'
import { writeStretch } from './wal/stretch.ts'

const rules = { keepDaily: 1, keepWeekly: 0, keepMonthly: 0, walDays: 7, budgetBytes: null }

async function openTarget() {
  const folder = await mkdtemp(join(tmpdir(), 'clew-prune-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const target = openFolderTarget(folder)
  const archiveOf = async (contents: Readonly<Record<string, string>>) => {
    const writer = createArchiveWriter('files', {
      target,
      known: noPieces,
      pace: async () => undefined,
      progress: () => undefined,
    })
    const facts = { mode: 0o600, modifiedMs: 0, isStream: true, isImmutable: false, close: async () => undefined }
    for (const [path, text] of Object.entries(contents))
      await writer.file({ ...facts, path, sizeBytes: text.length, read: async () => Buffer.from(text) })
    return writer.end()
  }
  const backup = async (
    id: string,
    contents: Readonly<Record<string, string>>,
    postgres: Manifest['postgres'] = null,
  ): Promise<void> => {
    const at = timeOfId(id).toISOString()
    const facts = { startedAt: at, endedAt: at, instant: at, clew: '0.1.0', platform: 'linux', arch: 'x64' }
    const archives = [await archiveOf(contents)]
    await writeManifest(target, {
      id,
      ...facts,
      postgres,
      clickhouse: null,
      archives,
      secrets: null,
      leftOut: [],
    })
  }
  const pieces = async (): Promise<number> => {
    let count = 0
    for await (const _ of target.list('pieces/')) count += 1
    return count
  }
  /** One of a cluster whose copy ended at a place of the log. */
  const postgresBackup = (id: string, lsn: string): Promise<void> => {
    const facts = { version: '18.4', systemId: '1', timeline: 1, startLsn: lsn, stopLsn: lsn, tables: [] }
    return backup(id, { [id]: id }, facts)
  }
  return { target, archiveOf, backup, postgresBackup, pieces }
}

const mib = 1024 ** 2
const older = '20261124T000000000Z'
const newer = '20261125T000000000Z'

test('a backup that no rule keeps goes with the pieces that only it has, and those of a killed backup', async () => {
  const { target, archiveOf, backup, pieces } = await openTarget()
  const large = 'x'.repeat(1024 * 1024)
  await backup(older, { shared: large, old: 'old' })
  await backup(newer, { shared: large, new: 'new' })
  await archiveOf({ killed: 'killed' })
  expect(await pieces()).toBe(7)
  const input = { ids: null, isDryRun: true }
  const planned = await pruneBackups(target, rules, input)
  expect(planned).toMatchObject({ removed: [older], pieces: 4 })
  expect(await pieces()).toBe(7)
  expect(await pruneBackups(target, rules, { ...input, isDryRun: false })).toEqual(planned)
  expect(await listIds(target)).toEqual([newer])
  expect(await pieces()).toBe(3)
  expect(await pruneBackups(target, rules, { ...input, isDryRun: false })).toMatchObject({ removed: [], pieces: 0 })
})

test('the newest backup that is known to be good stays, whatever the rules say', async () => {
  const { target, backup } = await openTarget()
  const oldest = '20261123T000000000Z'
  for (const id of [oldest, older, newer]) await backup(id, { [id]: id })
  const at = '2026-11-25T00:00:00.000Z'
  await writeVerification(target, { id: oldest, at, isGood: true, checks: [] })
  await writeVerification(target, { id: newer, at, isGood: false, checks: [] })
  const pruned = await pruneBackups(target, rules, { ids: null, isDryRun: false })
  expect(pruned.removed).toEqual([older])
  expect(await listIds(target)).toEqual([oldest, newer])
})

test('named backups go in place of those; an unknown name removes nothing', async () => {
  const { target, backup } = await openTarget()
  await backup(older, { a: 'a' })
  await backup(newer, { b: 'b' })
  const prune = (ids: readonly string[]) => pruneBackups(target, rules, { ids, isDryRun: false })
  await expect(prune([newer, 'unknown'])).rejects.toMatchObject({ code: 'CLEW_BACKUP_NOT_FOUND' })
  expect(await listIds(target)).toEqual([older, newer])
  await prune([newer])
  expect(await listIds(target)).toEqual([older])
})

test('nothing is removed while the pieces of a backup that stays are not known', async () => {
  const { target, backup, pieces } = await openTarget()
  await backup(older, { a: 'a' })
  await backup(newer, { b: 'b' })
  await target.put(`backups/${newer}.json`, Buffer.from('{}'))
  const prune = pruneBackups(target, rules, { ids: null, isDryRun: false })
  await expect(prune).rejects.toMatchObject({ code: 'CLEW_BACKUP_DAMAGED' })
  expect(await listIds(target)).toEqual([older, newer])
  expect(await pieces()).toBe(4)
})

/** Four backups of days that the rules keep, each with a piece of a MiB of its own, and one that all have. */
async function openWeek() {
  const opened = await openTarget()
  const ids = ['20261121T000000000Z', '20261122T000000000Z', '20261123T000000000Z', '20261124T000000000Z']
  for (const id of ids) await opened.backup(id, { shared: 'x'.repeat(mib), own: id.repeat(mib / id.length) })
  const prune = (budgetBytes: number | null, isDryRun = false) =>
    pruneBackups(opened.target, { ...rules, keepDaily: 7, budgetBytes }, { ids: null, isDryRun })
  return { ...opened, ids, prune }
}

test('above the budget the oldest backups go, to nine tenths of it; within it none does', async () => {
  const { target, ids, pieces, prune } = await openWeek()
  const before = await pieces()
  expect(await prune(null)).toMatchObject({ removed: [], pieces: 0 })
  expect(await prune(5.1 * mib)).toMatchObject({ removed: [] })
  const planned = await prune(4.2 * mib, true)
  expect(planned).toMatchObject({ removed: ids.slice(0, 2), logParts: 0 })
  expect(await pieces()).toBe(before)
  expect(await prune(4.2 * mib)).toEqual(planned)
  expect(await listIds(target)).toEqual(ids.slice(2))
  expect(planned.leftBytes).toBe(await measureTarget(target))
  expect(planned.leftBytes).toBeLessThanOrEqual(4.2 * mib * 0.9)
})

test('however small the budget is, the newest backup and the last that is known to be good stay', async () => {
  const { target, ids, prune } = await openWeek()
  const [, good = '', , newest = ''] = ids
  const at = '2026-11-25T00:00:00.000Z'
  await writeVerification(target, { id: good, at, isGood: true, checks: [] })
  await writeVerification(target, { id: newest, at, isGood: false, checks: [] })
  const pruned = await prune(1)
  expect(pruned.removed).toEqual([ids[0], ids[2]])
  expect(await listIds(target)).toEqual([good, newest])
  expect(pruned.leftBytes).toBeGreaterThan(3 * mib)
})

test('what no rule keeps goes first, and may be enough', async () => {
  const { target, ids } = await openWeek()
  const input = { ids: null, isDryRun: false }
  const { removed } = await pruneBackups(target, { ...rules, keepDaily: 3, budgetBytes: 4.1 * mib }, input)
  expect(removed).toEqual(ids.slice(0, 1))
})

test('the log counts, and goes with the backups that it leads on from', async () => {
  const { target, postgresBackup } = await openTarget()
  const segmentBytes = mib
  for (const [at, id] of [older, newer].entries()) await postgresBackup(id, `0/${at + 1}00000`)
  await writeStretch(target, {
    ...{ id: '20261123T000000000Z', systemId: '1', timeline: 1, segmentBytes },
    ...{ fromLsn: '0/0', untilLsn: '0/300000', untilAt: '2026-11-25T12:00:00.000Z', ended: null },
  })
  const bytes = randomBytes(segmentBytes)
  for (const segment of [1, 2])
    await putPart(target, '20261123T000000000Z', { segment, from: 0, to: segmentBytes }, bytes, async () => undefined)
  const all = { ...rules, keepDaily: 7 }
  const input = { ids: null, isDryRun: false }
  expect(await pruneBackups(target, { ...all, budgetBytes: 3 * mib }, input)).toMatchObject({
    removed: [],
    logParts: 0,
  })
  expect(await pruneBackups(target, { ...all, budgetBytes: 2 * mib }, input)).toMatchObject({
    ...{ removed: [older], logParts: 1 },
    leftBytes: await measureTarget(target),
  })
})
