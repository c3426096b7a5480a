import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openFolderTarget } from '../target/folder-target.ts'
import { keepKey, pruneKeys, readKeysSince } from './kept-keys.ts'

const dayMs = 86_400_000
const monday = new Date('2026-01-05T12:00:00Z')
const onDay = (day: number): Date => new Date(monday.getTime() + day * dayMs)
const backupOf = (day: number) => ({ startedAt: onDay(day).toISOString() })

async function openTarget() {
  const folder = await mkdtemp(join(tmpdir(), 'clew-kept-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return openFolderTarget(folder)
}

test('a restore is given the keys that were made after its backup, the oldest first', async () => {
  const target = await openTarget()
  for (const day of [3, 1, 2])
    await keepKey(target, { keptAt: onDay(day), key: Buffer.from(`key ${day}`) }, `id${day}`, 'right')
  const keysOf = async (day: number) =>
    (await readKeysSince(target, backupOf(day), 'right')).keys.map(({ key }) => key.toString())
  expect(await keysOf(0)).toEqual(['key 1', 'key 2', 'key 3'])
  expect(await keysOf(2.5)).toEqual(['key 3'])
})

test('a key that is sealed with another passphrase is named by its time', async () => {
  const target = await openTarget()
  await keepKey(target, { keptAt: onDay(1), key: Buffer.from('key') }, 'id', 'another')
  expect(await readKeysSince(target, backupOf(0), 'right')).toEqual({ keys: [], sealedOtherwise: [onDay(1)] })
})

test('a key goes when every backup that stays has it itself', async () => {
  const target = await openTarget()
  for (const day of [1, 3]) await keepKey(target, { keptAt: onDay(day), key: Buffer.from('key') }, `id${day}`, 'right')
  const left = async () => (await readKeysSince(target, backupOf(0), 'right')).keys.map(({ keptAt }) => keptAt)
  await pruneKeys(target, null)
  await pruneKeys(target, backupOf(0))
  expect(await left()).toEqual([onDay(1), onDay(3)])
  await pruneKeys(target, backupOf(2))
  expect(await left()).toEqual([onDay(3)])
})

test('a byte that turned in a kept key is told with its name', async () => {
  const target = await openTarget()
  await target.put('keys/id.json', Buffer.from('{'))
  await expect(readKeysSince(target, backupOf(0), 'right')).rejects.toMatchObject({
    code: 'CLEW_BACKUP_DAMAGED',
    message: expect.stringContaining('keys/id.json'),
  })
})
