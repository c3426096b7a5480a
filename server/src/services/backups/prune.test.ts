import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createArchiveWriter } from './copies/archive-writer.ts'
import { noPieces } from './copies/known-pieces.ts'
import { listIds, writeManifest } from './copies/manifest.ts'
import { pruneBackups } from './prune.ts'
import { openFolderTarget } from './target/folder-target.ts'
import { writeVerification } from './verify/record.ts'

const rules = { keepDaily: 1, keepWeekly: 0, keepMonthly: 0, walDays: 7 }

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
  const backup = async (id: string, contents: Readonly<Record<string, string>>): Promise<void> => {
    const at = '2026-11-25T00:00:00.000Z'
    const facts = { startedAt: at, endedAt: at, instant: at, clew: '0.1.0', platform: 'linux', arch: 'x64' }
    const archives = [await archiveOf(contents)]
    await writeManifest(target, {
      id,
      ...facts,
      postgres: null,
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
  return { target, archiveOf, backup, pieces }
}

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
