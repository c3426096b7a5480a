import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openFolderTarget } from '../target/folder-target.ts'
import type { BackupTarget } from '../target/target.ts'
import { type KeptKey, keepKey } from './kept-keys.ts'
import { writeManifest } from './manifest.ts'
import { readRestoredKeys } from './open-secrets.ts'
import { sealFiles } from './seal.ts'

const joinKeys = (keysJson: Buffer, later: readonly KeptKey[]): Buffer =>
  Buffer.from([keysJson, ...later.map(({ key }) => key)].join())

async function openTarget() {
  const folder = await mkdtemp(join(tmpdir(), 'clew-secrets-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return openFolderTarget(folder)
}

/** Stores a backup of nothing but its secrets. */
async function storeBackup(target: BackupTarget, day: number, keysJson: string | null): Promise<string> {
  const at = new Date(Date.UTC(2026, 0, day)).toISOString()
  const id = at.replaceAll(/[-:.]/g, '')
  const secrets = keysJson === null ? null : await sealFiles({ 'keys.json': Buffer.from(keysJson) }, 'right')
  await writeManifest(target, {
    ...{ id, startedAt: at, endedAt: at, instant: at, clew: '0.0.0', platform: 'any', arch: 'any' },
    ...{ postgres: null, clickhouse: null, archives: [], secrets, leftOut: [] },
  })
  return id
}

test('a restore brings the keys of the newest backup, and those that were made after it', async () => {
  const target = await openTarget()
  const deps = { target, joinKeys }
  expect(await readRestoredKeys('right', deps)).toBeNull()
  await storeBackup(target, 1, 'first')
  const id = await storeBackup(target, 3, 'second')
  await keepKey(target, { keptAt: new Date('2026-01-02'), key: Buffer.from('in the second') }, 'a', 'right')
  await keepKey(target, { keptAt: new Date('2026-01-04'), key: Buffer.from('later') }, 'b', 'right')
  await keepKey(target, { keptAt: new Date('2026-01-05'), key: Buffer.from('unreadable') }, 'c', 'wrong')
  expect(await readRestoredKeys('right', deps)).toEqual({ id, keysJson: Buffer.from('second,later') })
  await expect(readRestoredKeys('wrong', deps)).rejects.toMatchObject({ code: 'CLEW_BACKUP_PASSPHRASE' })
})

test('a backup that was made without a passphrase brings no keys', async () => {
  const target = await openTarget()
  const id = await storeBackup(target, 1, null)
  expect(await readRestoredKeys('right', { target, joinKeys })).toEqual({ id, keysJson: null })
})
