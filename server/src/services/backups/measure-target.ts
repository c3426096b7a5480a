import { piecesFolder } from './copies/pieces.ts'
import type { BackupTarget } from './target/target.ts'
import { partsFolder } from './wal/parts.ts'

/** Bytes of the pieces and of the kept log in a target; manifests and records are small beside them. */
export async function measureTarget(target: Pick<BackupTarget, 'list'>): Promise<number> {
  let bytes = 0
  for (const folder of [piecesFolder, partsFolder])
    for await (const { sizeBytes } of target.list(folder)) bytes += sizeBytes
  return bytes
}
