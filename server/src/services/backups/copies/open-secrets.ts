import { backupsError } from '../errors.ts'
import type { BackupTarget } from '../target/target.ts'
import { type KeptKey, readKeysSince } from './kept-keys.ts'
import { listIds, type Manifest, readManifest } from './manifest.ts'
import { openFiles, type SecretFiles } from './seal.ts'

/** The dependencies of `openSecrets`. */
export interface OpenSecretsDeps {
  readonly target: BackupTarget
  /** A `keys.json` with keys that were made after the backup, the oldest first. */
  readonly joinKeys: (keysJson: Buffer, later: readonly KeptKey[]) => Buffer
}

/** The secret files of a backup, as a restore writes them. */
export interface OpenedSecrets {
  readonly secrets: SecretFiles
  /** When keys were made that are sealed with another passphrase, and are not in them. */
  readonly keysLeftOut: readonly Date[]
}

/** Those of a backup that was made without a passphrase, or is restored without its keys. */
export const noSecrets: OpenedSecrets = { secrets: {}, keysLeftOut: [] }

/** Opens the secret files of a backup, and adds the keys that were made after it. @throws CLEW_BACKUP_PASSPHRASE, CLEW_BACKUP_DAMAGED */
export async function openSecrets(
  manifest: Manifest,
  passphrase: string | null,
  { target, joinKeys }: OpenSecretsDeps,
): Promise<OpenedSecrets> {
  if (manifest.secrets === null) return noSecrets
  if (passphrase === null) throw backupsError('CLEW_BACKUP_PASSPHRASE')
  const secrets = await openFiles(manifest.secrets, passphrase)
  const { keys, sealedOtherwise } = await readKeysSince(target, manifest, passphrase)
  const { 'keys.json': keysJson } = secrets
  const joined = keysJson === undefined ? {} : { 'keys.json': joinKeys(keysJson, keys) }
  return { secrets: { ...secrets, ...joined }, keysLeftOut: sealedOtherwise }
}

/** The keys that a restore of a backup brings. */
export interface RestoredKeys {
  readonly id: string
  /** Null where the backup has none. */
  readonly keysJson: Buffer | null
}

/**
 * The keys that a restore of the newest backup brings.
 *
 * @returns null where there is no backup
 * @throws CLEW_BACKUP_PASSPHRASE, CLEW_BACKUP_DAMAGED, CLEW_BACKUP_NEWER, CLEW_BACKUP_TARGET
 */
export async function readRestoredKeys(passphrase: string, deps: OpenSecretsDeps): Promise<RestoredKeys | null> {
  const id = (await listIds(deps.target)).at(-1)
  if (id === undefined) return null
  const { secrets } = await openSecrets(await readManifest(deps.target, id), passphrase, deps)
  return { id, keysJson: secrets['keys.json'] ?? null }
}
