import { type FileHandle, open, stat } from 'node:fs/promises'
import { messageOf } from '../../../ground/errors/message.ts'
import type { Log } from '../../../ground/model/log.ts'
import { analyticsError } from '../errors.ts'
import { type FindPlace, noPlaces, readPlaces } from './place.ts'

/** Places of addresses, from a file that may be replaced while the process runs. */
export interface Places {
  readonly find: FindPlace
  /** The file, for other threads; null without one. */
  bytes(): SharedArrayBuffer | null
  close(): Promise<void>
}

export interface PlacesOptions {
  /** Null: no place is known. */
  readonly path: string | null
  /** How often it is looked whether the file was replaced. */
  readonly lookMs?: number
  readonly log: Log
}

/** The largest known files, with every network of a country in them, have a third of this. */
const largestBytes = 1024 ** 3
const partBytes = 8 * 1024 ** 2
const lookMsByDefault = 60_000

/** A file as it was read. */
interface Loaded {
  readonly find: FindPlace
  readonly bytes: SharedArrayBuffer
  readonly version: string
}

/**
 * Opens a database of places. One that replaces it later and cannot be read leaves the earlier one in use, with a warning.
 *
 * @throws CLEW_GEO_DATABASE where the file cannot be read, or is none
 */
export async function openPlaces({ path, lookMs = lookMsByDefault, log }: PlacesOptions): Promise<Places> {
  if (path === null) return { find: noPlaces, bytes: () => null, close: async () => undefined }
  let loaded = await load(path).catch((cause: unknown) => {
    throw analyticsError('CLEW_GEO_DATABASE', { details: `${path}: ${messageOf(cause)}`, cause })
  })
  let refused = ''
  const look = async (): Promise<void> => {
    let version = ''
    try {
      version = await versionOf(path)
      if (version === loaded.version || version === refused) return
      loaded = await load(path)
      log.info({ path }, 'places: the database was replaced')
    } catch (error) {
      refused = version
      log.warn({ path, reason: messageOf(error) }, 'places: the new database cannot be read, the earlier one stays')
    }
  }
  let looking = Promise.resolve()
  let isLooking = false
  const timer = setInterval(() => {
    // A disk that hangs does not gather looks behind one another.
    if (isLooking) return
    isLooking = true
    looking = look().finally(() => {
      isLooking = false
    })
  }, lookMs)
  timer.unref()
  return {
    find: (address) => loaded.find(address),
    bytes: () => loaded.bytes,
    async close() {
      clearInterval(timer)
      await looking
    },
  }
}

async function load(path: string): Promise<Loaded> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size > largestBytes) throw new Error(`it is larger than ${largestBytes} bytes`)
    const bytes = new SharedArrayBuffer(size)
    await fill(file, Buffer.from(bytes))
    return { find: readPlaces(bytes), bytes, version: await versionOf(path) }
  } finally {
    await file.close()
  }
}

async function fill(file: FileHandle, bytes: Buffer): Promise<void> {
  let at = 0
  while (at < bytes.length) {
    const { bytesRead } = await file.read(bytes, at, Math.min(partBytes, bytes.length - at), at)
    if (bytesRead === 0) throw new Error('it became shorter while it was read')
    at += bytesRead
  }
}

/** Changes when a file is replaced or written. */
async function versionOf(path: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(path)
  return `${ino} ${size} ${mtimeMs}`
}
