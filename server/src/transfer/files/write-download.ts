import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Download } from './storage-api.ts'

/** How a download is written. */
export interface FileDownloadOptions {
  /** Whether a file that is there is replaced. */
  readonly overwrites: boolean
  readonly moved?: (bytes: number) => void
}

/**
 * Writes an object's bytes to a file, whole or not at all; missing folders are made.
 *
 * @throws EEXIST for a file that is there and not to be replaced; where the bytes are fewer than announced
 */
export async function writeDownload(
  path: string,
  { body, sizeBytes }: Download,
  { overwrites, moved }: FileDownloadOptions,
): Promise<number> {
  const partial = `${path}.${randomBytes(4).toString('hex')}.part`
  let written = 0
  const count = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      written += piece.length
      moved?.(piece.length)
      yield piece
    }
  }
  try {
    await mkdir(dirname(path), { recursive: true })
    await pipeline(body, count, createWriteStream(partial, { flags: 'wx' }))
    if (sizeBytes !== null && written !== sizeBytes)
      throw new Error(`The download ended after ${written} of ${sizeBytes} bytes.`)
    if (overwrites) await rename(partial, path)
    else await link(partial, path)
    return written
  } finally {
    body.destroy()
    await rm(partial, { force: true })
  }
}
