import { createHash } from 'node:crypto'
import { giveWay } from '../../../engines/threads/index.ts'
import { backupsError } from '../errors.ts'
import type { BackupTarget } from '../target/target.ts'

/** The SHA-256 of bytes, in hexadecimal. */
export const digestOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

const stepBytes = 256 * 1024

/** As `digestOf`, of a process that comes after requests: a piece takes some milliseconds. */
export function digestGivingWay(bytes: Uint8Array): string {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += stepBytes) {
    hash.update(bytes.subarray(at, at + stepBytes))
    giveWay()
  }
  return hash.digest('hex')
}

/** What the names of such pieces begin with. */
export const piecesFolder = 'pieces/'

/** The name of a piece that is called by its content, so that equal bytes are kept once. */
export const pieceNameOf = (sha256: string): string => `${piecesFolder}${sha256.slice(0, 2)}/${sha256}`

/**
 * Reads a piece.
 *
 * @throws CLEW_BACKUP_DAMAGED where it is missing, or its bytes are others
 */
export async function readPiece(target: Pick<BackupTarget, 'get'>, sha256: string): Promise<Buffer> {
  const bytes = await target.get(pieceNameOf(sha256))
  checkPiece(bytes, sha256)
  return bytes
}

/** @throws CLEW_BACKUP_DAMAGED where the bytes are not those of the piece */
export function checkPiece(bytes: Uint8Array, sha256: string): void {
  if (digestOf(bytes) !== sha256)
    throw backupsError('CLEW_BACKUP_DAMAGED', { message: `The bytes of ${pieceNameOf(sha256)} were changed.` })
}
