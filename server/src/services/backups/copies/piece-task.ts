import { closeSync, constants, fstatSync, futimesSync, openSync, readSync, writeSync } from 'node:fs'
import type { TaskOutput } from '../../../engines/threads/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import { backupsError } from '../errors.ts'
import type { FilePart } from './index-lines.ts'
import { checkPiece } from './pieces.ts'

/** A piece, to be checked and written into the files whose bytes it holds. */
export interface PieceTask {
  readonly sha256: string
  /** Its bytes, or the file that has them. */
  readonly from: Uint8Array | string
  /** In the order of their bytes, each with its path on the disk; the folders are there. */
  readonly parts: readonly FilePart[]
}

/** Of this thread alone: with new memory for each piece the system clears as much as is read. */
let room: Buffer = Buffer.alloc(0)

/** Writes a piece in a thread. @throws CLEW_BACKUP_DAMAGED where its bytes are others */
export function run({ sha256, from, parts }: PieceTask): TaskOutput {
  const bytes = typeof from === 'string' ? readWhole(from) : from
  checkPiece(bytes, sha256)
  let at = 0
  for (const part of parts) {
    writePart(part, bytes.subarray(at, at + part.sizeBytes))
    at += part.sizeBytes
  }
  return { value: null, transfer: [] }
}

/** @returns bytes that stay until the next piece is read */
function readWhole(path: string): Uint8Array {
  try {
    return withFile(path, constants.O_RDONLY, 0, (file) => {
      const { size } = fstatSync(file)
      if (size > room.length) room = Buffer.allocUnsafeSlow(size)
      let filled = 0
      for (let read = -1; read !== 0 && filled < size; filled += read)
        read = readSync(file, room, filled, size - filled, filled)
      return room.subarray(0, filled)
    })
  } catch (cause) {
    throw backupsError('CLEW_BACKUP_DAMAGED', { message: `${path}: ${messageOf(cause)}`, cause })
  }
}

/** Other parts of a large file may be written at once, in any order. */
function writePart({ path, mode, modifiedMs, fileBytes, offset }: FilePart, bytes: Uint8Array): void {
  const isWhole = bytes.length === fileBytes
  const flags = constants.O_WRONLY | constants.O_CREAT | (isWhole ? constants.O_TRUNC : 0)
  withFile(path, flags, mode, (file) => {
    // A disk that fills up may take a part of a write, and refuses the next.
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, offset + done)
    // Its time is one of the marks by which the next backup knows a file: each part sets it, the last as well.
    futimesSync(file, modifiedMs / 1000, modifiedMs / 1000)
  })
}

function withFile<T>(path: string, flags: number, mode: number, body: (file: number) => T): T {
  const file = openSync(path, flags, mode)
  try {
    return body(file)
  } finally {
    closeSync(file)
  }
}
