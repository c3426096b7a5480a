import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { TaskOutput } from '../../../engines/threads/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import { backupsError } from '../errors.ts'
import type { FilePart } from './index-lines.ts'
import { memoryAtPage } from './memory-at-page.ts'
import { checkPiece } from './pieces.ts'
import { writePart } from './write-part.ts'

/** A piece, to be checked and written into the files whose bytes it holds. */
export interface PieceTask {
  readonly sha256: string
  /** Its bytes, or the file that has them. */
  readonly from: Uint8Array | string
  /** In the order of their bytes, each with its path on the disk; the folders are there. */
  readonly parts: readonly FilePart[]
  /** Whether the files are to outlive a power cut. */
  readonly isKept: boolean
}

/** Of this thread alone: with new memory for each piece the system clears as much as is read. */
let room: Uint8Array = new Uint8Array(0)

/** Writes a piece in a thread. @throws CLEW_BACKUP_DAMAGED where its bytes are others */
export function run({ sha256, from, parts, isKept }: PieceTask): TaskOutput {
  const bytes = typeof from === 'string' ? readWhole(from) : take(from)
  checkPiece(bytes, sha256)
  let at = 0
  for (const part of parts) {
    writePart(part, bytes.subarray(at, at + part.sizeBytes), { isAtPage: at === 0, isKept })
    at += part.sizeBytes
  }
  return { value: null, transfer: [] }
}

/** @returns bytes at the beginning of a page, which stay until the next piece is read */
function readWhole(path: string): Uint8Array {
  try {
    const file = openSync(path, constants.O_RDONLY)
    try {
      const { size } = fstatSync(file)
      makeRoom(size)
      let filled = 0
      for (let read = -1; read !== 0 && filled < size; filled += read)
        read = readSync(file, room, filled, size - filled, filled)
      return room.subarray(0, filled)
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    throw backupsError('CLEW_BACKUP_DAMAGED', { message: `${path}: ${messageOf(cause)}`, cause })
  }
}

function take(bytes: Uint8Array): Uint8Array {
  makeRoom(bytes.length)
  room.set(bytes)
  return room.subarray(0, bytes.length)
}

function makeRoom(sizeBytes: number): void {
  if (sizeBytes > room.length) room = memoryAtPage(sizeBytes)
}
