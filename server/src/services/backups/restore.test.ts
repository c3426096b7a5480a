import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createThreads } from '../../engines/threads/index.ts'
import { type Manifest, writeManifest } from './copies/manifest.ts'
import { restoreBackup } from './restore.ts'
import { openFolderTarget } from './target/folder-target.ts'

const at = '2026-11-26T00:00:00.000Z'
const facts = { id: '20261126T000000000Z', startedAt: at, endedAt: at, instant: at, clew: '0.1.0' }
const here = { platform: process.platform, arch: process.arch }
const nothing = { postgres: null, clickhouse: null, archives: [], secrets: null, leftOut: [] }

const threads = createThreads()
afterAll(() => threads.close())
const deps = { version: '0.1.0', threads, flush: null, joinKeys: (keys: Buffer) => keys, progress: () => undefined }

test.each([
  ['files of another processor', { arch: 'riscv64' }, 'CLEW_BACKUP_OTHER_MACHINE', /-riscv64; this machine is/],
  ['files of another system', { platform: 'plan9' }, 'CLEW_BACKUP_OTHER_MACHINE', /files of plan9-/],
  ['data of a newer version', { clew: '0.2.0' }, 'CLEW_BACKUP_NEWER', /made by Clew 0.2.0; this is 0.1.0/],
  [
    'more than the disk has',
    { archives: [{ name: 'postgres', files: 1, sizeBytes: 2 ** 52, newBytes: 0, index: [] }] },
    'CLEW_BACKUP_TARGET',
    /the backup needs 4503599627370496/,
  ],
] satisfies [string, Partial<Manifest>, string, RegExp][])(
  'a backup with %s is refused with words, and nothing is written',
  async (_what, made, code, words) => {
    const folder = await mkdtemp(join(tmpdir(), 'clew-restore-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await mkdir(join(folder, 'backups'))
    const target = openFolderTarget(join(folder, 'backups'))
    await writeManifest(target, { ...facts, ...here, ...nothing, ...made })
    const recover = async () => ({ replayedLsn: '0/0', committedAt: null, isToTheEnd: true })
    const input = { id: null, at: null, to: join(folder, 'restored'), passphrase: null, withoutKeys: false }
    const restoring = restoreBackup(input, { ...deps, target, recover })
    await expect(restoring).rejects.toMatchObject({ code, message: expect.stringMatching(words) })
    expect(await readdir(folder)).toEqual(['backups'])
  },
)

test('what is restored is flushed when its log is replayed, before it has its name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-restore-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'backups'))
  const target = openFolderTarget(join(folder, 'backups'))
  const server = { version: '18.4', systemId: '1', timeline: 1, startLsn: '0/0', stopLsn: '0/0', tables: [] }
  await writeManifest(target, { ...facts, ...here, ...nothing, postgres: server })
  const seen: [string, string, readonly string[]][] = []
  const saw = (what: string) => async (path: string) =>
    void seen.push([what, relative(folder, path), await readdir(folder)])
  const recover = async (path: string) => {
    await saw('replayed')(path)
    return { replayedLsn: '0/0', committedAt: null, isToTheEnd: true }
  }
  const input = { id: null, at: null, to: join(folder, 'restored'), passphrase: null, withoutKeys: false }
  await restoreBackup(input, { ...deps, target, recover, flush: saw('flushed') })
  expect(seen).toEqual([
    ['replayed', 'restored.restoring/postgres', ['backups', 'restored.restoring']],
    ['flushed', 'restored.restoring/postgres', ['backups', 'restored.restoring']],
  ])
  expect(await readdir(folder)).toEqual(['backups', 'restored'])
})
