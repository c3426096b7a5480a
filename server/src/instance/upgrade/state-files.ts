import { constants } from 'node:fs'
import { chown, copyFile, link, lstat, mkdir, open, readdir, readlink, stat, symlink, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { instanceError } from '../../errors.ts'
import { flushFolder } from './version-record.ts'

/**
 * What of a data directory is no state: it belongs to the process that runs, can be fetched anew (modules of functions), or is
 * what this room itself keeps.
 */
const notState =
  /^(clew\.lock.*|verifying|deno|restore-points|lost\+found|rollback\.json(\.new)?|.*\.new|.*\.restoring)$/

/**
 * Files that keep their bytes for as long as they have their name: parts of ClickHouse and finished objects. The engine
 * rewrites small files of a part, so those are copied.
 */
const immutable =
  /^(storage\/objects\/|clickhouse\/store\/[^/]+\/[^/]+\/[^/]+\/(.*\.(bin|c?mrk\d?|c?idx)|.*\.proj\/.*\.(bin|c?mrk\d?|c?idx))$)/

/** A file, folder or symbolic link of a data directory; `path` has slashes. */
interface StateEntry {
  readonly path: string
  readonly kind: 'file' | 'folder' | 'link'
  readonly sizeBytes: number
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly modifiedAt: Date
}

/** Bytes of a state: those that a copy of it takes, and those that it shares with the original by hard links. */
export interface StateSize {
  readonly copiedBytes: number
  readonly sharedBytes: number
}

/** Names in a data directory that are its state. */
export async function stateNames(data: string): Promise<readonly string[]> {
  return (await readdir(data)).filter((name) => !notState.test(name)).sort()
}

/** What a copy of the state of a data directory would take. */
export async function measureState(data: string): Promise<StateSize> {
  let copiedBytes = 0
  let sharedBytes = 0
  for await (const { kind, path, sizeBytes } of walkState(data)) {
    if (kind !== 'file') continue
    if (immutable.test(path)) sharedBytes += sizeBytes
    else copiedBytes += sizeBytes
  }
  return { copiedBytes, sharedBytes }
}

/**
 * Copies the state of a data directory on which no process runs into a new folder of its disk, and has it outlive a power cut.
 *
 * @param copied told how many bytes more were copied
 */
export async function copyState(data: string, to: string, copied: (bytes: number) => void): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  const folders: string[] = [to]
  const files: string[] = []
  const pending = createPending(parallel)
  for await (const entry of walkState(data)) {
    const target = join(to, entry.path)
    if (entry.kind === 'folder') {
      await mkdir(target, { mode: entry.mode })
      await own(target, entry)
      folders.push(target)
    } else {
      await pending.add(async () => {
        if (await copyEntry(data, entry, target)) {
          files.push(target)
          copied(entry.sizeBytes)
        }
      })
    }
  }
  await pending.end()
  // After all of them: the first one flushes the journal for those that follow.
  for (const path of files) await pending.add(() => flushFile(path))
  await pending.end()
  for (const folder of folders.reverse()) await flushFolder(folder)
}

/** As many files as the file system is asked for at a time. */
const parallel = 8

/** Runs so many at a time; the first that fails is thrown. */
function createPending(limit: number) {
  const running = new Set<Promise<void>>()
  let failed: { readonly error: unknown } | null = null
  const check = (): void => {
    if (failed !== null) throw failed.error
  }
  return {
    async add(work: () => Promise<void>): Promise<void> {
      check()
      if (running.size >= limit) await Promise.race(running)
      const one = work()
        .catch((error: unknown) => {
          failed ??= { error }
        })
        .finally(() => running.delete(one))
      running.add(one)
    },
    async end(): Promise<void> {
      await Promise.all(running)
      check()
    },
  }
}

/** @returns whether its bytes were copied */
async function copyEntry(data: string, entry: StateEntry, target: string): Promise<boolean> {
  const source = join(data, entry.path)
  if (entry.kind === 'link') {
    await symlink(await readlink(source), target)
    return false
  }
  if (immutable.test(entry.path) && (await linked(source, target))) return false
  await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  await own(target, entry)
  await utimes(target, entry.modifiedAt, entry.modifiedAt)
  return true
}

/** Not every file system has hard links, and a folder may be on another disk. */
async function linked(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target)
    return true
  } catch (error) {
    if (['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP'].includes(codeOf(error))) return false
    throw error
  }
}

/** PostgreSQL's files belong to the user that it runs as, where the product runs as root. */
async function own(path: string, { uid, gid }: StateEntry): Promise<void> {
  if (process.getuid?.() === 0) await chown(path, uid, gid)
}

async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Every entry of the state, a folder before what is in it. A link at the top is followed: what it leads to is the state. */
async function* walkState(data: string): AsyncGenerator<StateEntry, void> {
  for (const name of await stateNames(data)) yield* walk(data, name, stat)
}

async function* walk(data: string, path: string, look: typeof lstat): AsyncGenerator<StateEntry, void> {
  const found = await look(join(data, path))
  const kind = found.isDirectory() ? 'folder' : found.isSymbolicLink() ? 'link' : found.isFile() ? 'file' : null
  // Sockets and pipes are of a process.
  if (kind === null) return
  const { size: sizeBytes, uid, gid, mtime: modifiedAt } = found
  yield { path, kind, sizeBytes, mode: found.mode & 0o7777, uid, gid, modifiedAt }
  if (kind !== 'folder') return
  for (const name of (await readdir(join(data, path))).sort()) yield* walk(data, `${path}/${name}`, lstat)
}

/**
 * Checks that the state can be kept and put back. It is put back by renaming, and a folder that is a mount cannot be renamed;
 * a copy of PostgreSQL's files must hold all of them.
 *
 * @throws CLEW_UPGRADE_PLACE
 */
export async function checkPlaces(data: string): Promise<void> {
  const { dev } = await stat(data)
  for (const name of await stateNames(data))
    if ((await lstat(join(data, name))).dev !== dev)
      throw instanceError('CLEW_UPGRADE_PLACE', { message: `${join(data, name)} is a mount of its own.` })
  for (const path of ['postgres/pg_wal', 'postgres/pg_tblspc']) {
    const folder = join(data, path)
    const found = await lstat(folder).catch(ignoreMissing)
    const outside = found?.isSymbolicLink() ? folder : null
    const first = found?.isDirectory() && path.endsWith('tblspc') ? (await readdir(folder))[0] : undefined
    if (outside !== null || first !== undefined)
      throw instanceError('CLEW_UPGRADE_PLACE', {
        message: `${outside ?? join(folder, first ?? '')} leads to files outside of ${dirname(folder)}.`,
      })
  }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code)

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
