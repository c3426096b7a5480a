import { createHash, randomBytes } from 'node:crypto'
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createThreads } from '../../../engines/threads/index.ts'
import { copyFolder } from '../sources/copy-folder.ts'
import { walkFolder } from '../sources/folder-files.ts'
import { openFolderTarget } from '../target/folder-target.ts'
import type { BackupTarget } from '../target/target.ts'
import { createArchiveWriter } from './archive-writer.ts'
import type { Archive } from './index-lines.ts'
import { noPieces, readKnownPieces } from './known-pieces.ts'
import { restoreArchive } from './restore-archive.ts'

const mib = 1024 * 1024
let folder: string
let source: string
let target: BackupTarget
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-archive-'))
  source = join(folder, 'source')
  await mkdir(source)
  target = openFolderTarget(join(folder, 'target'))
})
const threads = createThreads({ threads: 2 })
afterAll(() => threads.close())
afterEach(() => rm(folder, { recursive: true, force: true }))

const write = async (path: string, bytes: Buffer | string): Promise<void> => {
  await mkdir(join(source, path, '..'), { recursive: true })
  await writeFile(join(source, path), bytes)
}

async function copy(last: Archive | null = null, isImmutable = true): Promise<Archive> {
  const known = last === null ? noPieces : await readKnownPieces(target, last)
  const deps = { target, known, pace: async () => undefined, progress: () => undefined }
  const writer = createArchiveWriter('files', deps)
  await copyFolder(writer, source, { isImmutable, mayGo: false })
  return writer.end()
}

/** Paths with their contents, or what they link to. */
async function contentsOf(root: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for await (const entry of walkFolder(root, { isImmutable: false, mayGo: false })) {
    if (entry.kind === 'link') found[entry.path] = `→ ${entry.to}`
    else
      found[entry.file.path] = createHash('sha256')
        .update(await readFile(join(root, entry.file.path)))
        .digest('hex')
  }
  return found
}

const restored = async (archive: Archive): Promise<Readonly<Record<string, string>>> => {
  const to = join(folder, `restored-${randomBytes(4).toString('hex')}`)
  await restoreArchive(archive, to, { target, threads, isKept: true, progress: () => undefined })
  return contentsOf(to)
}

async function piecesIn(): Promise<readonly string[]> {
  const pieces: string[] = []
  for await (const { name } of target.list('pieces/')) pieces.push(name)
  return pieces
}

describe('an archive', () => {
  test('is restored as it was: empty files, small and large ones, links', async () => {
    await write('empty', '')
    for (let at = 0; at < 200; at += 1) await write(`small/${at % 7}/${at}`, randomBytes(at * 100))
    await write('large/one', randomBytes(9 * mib + 17))
    await write('large/exact', randomBytes(4 * mib))
    await symlink('../small', join(source, 'large', 'link'))
    const archive = await copy()
    expect(archive).toMatchObject({ files: 203 })
    expect(await restored(archive)).toEqual(await contentsOf(source))
  })

  test('has times and permissions of its files, also of large ones whose parts are written at once', async () => {
    await write('small', randomBytes(1000))
    await write('large', randomBytes(30 * mib))
    for (const [name, seconds] of Object.entries({ small: 1_700_000_000, large: 1_700_000_001 }))
      await utimes(join(source, name), seconds, seconds)
    await chmod(join(source, 'large'), 0o440)
    const to = join(folder, 'restored')
    await restoreArchive(await copy(), to, { target, threads, isKept: true, progress: () => undefined })
    const facts = async (name: string) => {
      const { mtimeMs, mode } = await stat(join(to, name))
      return [mtimeMs / 1000, mode & 0o777]
    }
    expect(await facts('small')).toEqual([1_700_000_000, 0o644])
    expect(await facts('large')).toEqual([1_700_000_001, 0o440])
  })

  test('holds nothing new where nothing has changed, and reads no file again that keeps its bytes', async () => {
    for (let at = 0; at < 300; at += 1) await write(`parts/${at}`, randomBytes(1000))
    await utimes(join(source, 'parts', '7'), 1000, 1000)
    const first = await copy()
    expect(first.newBytes).toBe(300_000)
    expect((await copy(null)).newBytes).toBe(0)
    // Other bytes under the former name, size and time: what is not read is not noticed.
    const path = join(source, 'parts', '7')
    await writeFile(path, randomBytes(1000))
    await utimes(path, 1000, 1000)
    expect((await copy(first)).newBytes).toBe(0)
    expect((await copy(null)).newBytes).toBeGreaterThan(0)
    expect((await copy(first, false)).newBytes).toBe(0)
  })

  test('holds little that is new where little has changed', async () => {
    for (let at = 0; at < 1000; at += 1) await write(`objects/${at}`, randomBytes(2000))
    await write('large', randomBytes(40 * mib))
    const first = await copy()
    await write('objects/new', randomBytes(2000))
    await unlink(join(source, 'objects', '500'))
    const second = await copy(first)
    expect(second.newBytes).toBeLessThan(first.newBytes / 20)
    expect(await restored(second)).toEqual(await contentsOf(source))
    const large = await readFile(join(source, 'large'))
    large.fill(7, 20 * mib, 20 * mib + 8192)
    await write('large', large)
    expect((await copy(second)).newBytes).toBe(4 * mib)
  })

  test('leaves out a file that goes while it is copied', async () => {
    await write('a', 'stays')
    await write('b', 'goes')
    const deps = { target, known: noPieces, pace: async () => undefined, progress: () => undefined }
    const writer = createArchiveWriter('files', deps)
    for await (const entry of walkFolder(source, { isImmutable: true, mayGo: true })) {
      if (entry.kind === 'file') await writer.file(entry.file)
      if (entry.kind === 'file' && entry.file.path === 'b') await unlink(join(source, 'b'))
    }
    expect(Object.keys(await restored(await writer.end()))).toEqual(['a'])
  })

  test('has all of a folder that goes when it was added', async () => {
    for (let at = 0; at < 100; at += 1) await write(`parts/${at}`, randomBytes(100))
    const before = await contentsOf(source)
    const deps = { target, known: noPieces, pace: async () => undefined, progress: () => undefined }
    const writer = createArchiveWriter('files', deps)
    await copyFolder(writer, source, { isImmutable: true, mayGo: false })
    await rm(source, { recursive: true })
    expect(await restored(await writer.end())).toEqual(before)
  })

  test('is not made of files that may not go, and do', async () => {
    await write('a', 'goes')
    const deps = { target, known: noPieces, pace: async () => undefined, progress: () => undefined }
    const writer = createArchiveWriter('files', deps)
    for await (const entry of walkFolder(source, { isImmutable: true, mayGo: false }))
      if (entry.kind === 'file') await writer.file(entry.file)
    await unlink(join(source, 'a'))
    await expect(writer.end()).rejects.toThrow('ENOENT')
  })

  test('is not made of a file that becomes shorter', async () => {
    await write('a', randomBytes(6 * mib))
    const shorten = () => truncate(join(source, 'a'), 5 * mib)
    const writer = createArchiveWriter('files', { target, known: noPieces, pace: shorten, progress: () => undefined })
    await expect(copyFolder(writer, source, { isImmutable: true, mayGo: true })).rejects.toThrow('became shorter')
  })

  test.each([
    ['changed', (path: string) => appendFile(path, 'x'), 'were changed'],
    ['missing', (path: string) => unlink(path), 'no such file'],
  ])('with a piece that is %s is not restored', async (_what, harm, words) => {
    await write('a', randomBytes(5 * mib))
    const archive = await copy()
    const [piece] = await piecesIn()
    await harm(join(folder, 'target', piece ?? ''))
    await expect(restored(archive)).rejects.toMatchObject({
      code: 'CLEW_BACKUP_DAMAGED',
      message: expect.stringContaining(words),
    })
  })

  test('writes no file outside of its folder', async () => {
    const bytes = Buffer.from('x')
    const deps = { target, known: noPieces, pace: async () => undefined, progress: () => undefined }
    const writer = createArchiveWriter('files', deps)
    const facts = {
      mode: 0o600,
      modifiedMs: 0,
      sizeBytes: 1,
      isStream: true,
      isImmutable: false,
      close: async () => undefined,
    }
    await writer.file({ ...facts, path: '../outside', read: async () => bytes })
    await expect(restored(await writer.end())).rejects.toMatchObject({ code: 'CLEW_BACKUP_DAMAGED' })
    expect(await readdir(folder)).not.toContain('outside')
  })
})
