import { listIds, type Manifest, readManifest } from './copies/manifest.ts'
import type { BackupTarget } from './target/target.ts'
import { readVerification, type Verification } from './verify/record.ts'

/** A backup of a list. */
export interface ListedBackup {
  readonly id: string
  /** Null where it cannot be read: `problem` says why. */
  readonly manifest: Manifest | null
  readonly problem: string | null
  /** What opening it showed; null where it was not opened. */
  readonly verification: Verification | null
}

/** The backups, the newest first. */
export async function listBackups(target: BackupTarget): Promise<readonly ListedBackup[]> {
  const listed: ListedBackup[] = []
  for (const id of [...(await listIds(target))].reverse()) {
    const verification = await readVerification(target, id)
    const read = await readManifest(target, id).then(
      (manifest) => ({ manifest, problem: null }),
      (error: Error) => ({ manifest: null, problem: error.message }),
    )
    listed.push({ id, verification, ...read })
  }
  return listed
}
