import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { instanceError } from '../errors.ts'
import { lockDirectory } from './lock.ts'

/** The paths of an instance. */
export interface Directory {
  readonly data: string
  readonly postgres: string
  readonly clickhouse: string
  readonly spool: string
  /** Files of object storage. */
  readonly storage: string
  /** Sockets, in a short path of the system's temporary folder: a Unix socket's path holds 107 bytes at most. */
  readonly sockets: string
  readonly control: string
}

/** The paths that belong to a data directory, without touching the disk. */
export function directoryOf(dataDir: string): Directory {
  const data = resolve(dataDir)
  const hash = createHash('sha256').update(data).digest('hex').slice(0, 12)
  const sockets = join(tmpdir(), `clew-${userInfo().uid}-${hash}`)
  return {
    data,
    postgres: join(data, 'postgres'),
    clickhouse: join(data, 'clickhouse'),
    spool: join(data, 'spool'),
    storage: join(data, 'storage'),
    sockets,
    control: join(sockets, 'control.sock'),
  }
}

/**
 * Takes a data directory for this process and makes its folders; closed, it is free again.
 *
 * @throws CLEW_START_RUNNING, CLEW_START_DIRECTORY
 */
export async function takeDirectory(directory: Directory, opened: (() => Promise<void>)[]): Promise<void> {
  await mkdir(directory.data, { recursive: true })
  const lock = await lockDirectory(directory.data)
  opened.push(() => lock.release())
  await prepareDirectory(directory)
  opened.push(() => rm(directory.sockets, { recursive: true, force: true }))
}

/** Creates missing folders. @throws CLEW_START_DIRECTORY when another user owns the socket folder */
async function prepareDirectory(directory: Directory): Promise<void> {
  await mkdir(directory.data, { recursive: true })
  await mkdir(directory.spool, { recursive: true, mode: 0o700 })
  await mkdir(directory.sockets, { recursive: true, mode: 0o711 })
  const found = await lstat(directory.sockets)
  if (!found.isDirectory() || found.uid !== userInfo().uid) {
    throw instanceError('CLEW_START_DIRECTORY', {
      message: `${directory.sockets}, the folder for sockets, belongs to another user; remove it or set TMPDIR.`,
    })
  }
  // Only the owner lists the folder; the database's unprivileged user may pass through.
  await chmod(directory.sockets, 0o711)
}
