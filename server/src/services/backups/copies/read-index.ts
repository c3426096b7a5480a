import { backupsError } from '../errors.ts'
import type { BackupTarget } from '../target/target.ts'
import type { Archive, IndexLine } from './index-lines.ts'
import { readPiece } from './pieces.ts'

/** The lines of an archive's index, one after another. @throws CLEW_BACKUP_DAMAGED */
export async function* readIndex(
  target: Pick<BackupTarget, 'get'>,
  { index }: Pick<Archive, 'index'>,
): AsyncGenerator<IndexLine, void> {
  for (const sha256 of index) {
    const text = (await readPiece(target, sha256)).toString()
    for (const line of text.split('\n')) if (line !== '') yield parseLine(line)
  }
}

function parseLine(line: string): IndexLine {
  try {
    // Its digest says that the writer of indexes wrote it.
    return JSON.parse(line) as IndexLine
  } catch (cause) {
    throw backupsError('CLEW_BACKUP_DAMAGED', { message: 'The index of an archive is no JSON.', cause })
  }
}
