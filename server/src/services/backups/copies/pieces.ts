import { createHash, webcrypto } from 'node:crypto'
import { backupsError } from '../errors.ts'
import type { BackupTarget } from '../target/target.ts'

/** The SHA-256 of bytes, in hexadecimal. */
export const digestOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

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
  // In another thread: pieces that are fetched ahead are read, digested and written at once.
  const digest = await webcrypto.subtle.digest('SHA-256', bytes)
  if (Buffer.from(digest).toString('hex') !== sha256)
    throw backupsError('CLEW_BACKUP_DAMAGED', { message: `The bytes of ${pieceNameOf(sha256)} were changed.` })
  return bytes
}
