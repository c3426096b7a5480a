import { rm } from 'node:fs/promises'
import { messageOf } from '../../../ground/errors/message.ts'
import { listIds, type Manifest, readManifest } from '../copies/manifest.ts'
import { openFiles } from '../copies/seal.ts'
import { backupsError } from '../errors.ts'
import { type RestoreDeps, replayLog, restoreBackup } from '../restore.ts'
import type { CheckResult, CopyCheck, OpenedCopy } from './check.ts'
import { checkClickHouse, checkPostgres } from './check-tables.ts'
import { type Verification, writeVerification } from './record.ts'

export interface VerifyDeps extends RestoreDeps {
  readonly passphrase: string | null
  /** Where the copy is, as long as it is looked at; what is there goes. */
  readonly folder: string
  /** Starts the engines of a restored copy. */
  readonly open: (folder: string, manifest: Manifest) => Promise<OpenedCopy>
  /** What else is looked at: files, recordings. */
  readonly checks: readonly CopyCheck[]
  readonly now: () => Date
}

/**
 * Restores a backup beside the running instance, starts its engines, reads everything, and keeps the result with it.
 *
 * @param id the newest where it is null
 * @throws CLEW_BACKUP_NOT_FOUND, CLEW_BACKUP_NEWER, CLEW_BACKUP_OTHER_MACHINE; what is wrong with the backup is its result
 */
export async function verifyBackup(id: string | null, deps: VerifyDeps): Promise<Verification> {
  const { target, folder, now } = deps
  const chosen = id ?? (await listIds(target)).at(-1)
  if (chosen === undefined)
    throw backupsError('CLEW_BACKUP_NOT_FOUND', { message: `There is no backup in ${target.name}.` })
  const manifest = await readManifest(target, chosen)
  await rm(folder, { recursive: true, force: true })
  try {
    const checks = [await checkKeys(manifest, deps.passphrase), ...(await checkCopy(manifest, deps))]
    await rm(folder, { recursive: true, force: true })
    checks.push(...(await checkLog(manifest, deps)))
    const isGood = checks.every(({ problem }) => problem === null)
    const verification = { id: chosen, at: now().toISOString(), isGood, checks }
    await writeVerification(target, verification)
    return verification
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function checkKeys({ secrets }: Manifest, passphrase: string | null): Promise<CheckResult> {
  const result = (detail: string, problem: string | null = null): CheckResult => ({ name: 'keys', detail, problem })
  if (secrets === null) return result('left out, as there was no passphrase')
  if (passphrase === null) return result('sealed, and not looked at without the passphrase')
  try {
    const names = Object.keys(await openFiles(secrets, passphrase))
    return result(`opened: ${names.join(', ')}`, names.includes('keys.json') ? null : 'There is no keys.json in it.')
  } catch (error) {
    return result('sealed', messageOf(error))
  }
}

/** Replays what is kept of the log after the backup; where none is, there is nothing to say. */
async function checkLog(manifest: Manifest, deps: VerifyDeps): Promise<readonly CheckResult[]> {
  try {
    const replayed = await replayLog(manifest, deps.folder, deps)
    if (replayed === null) return []
    const last = replayed.committedAt === null ? 'none' : replayed.committedAt.toISOString()
    return [
      { name: 'log', detail: `replayed up to ${replayed.untilLsn}, its last transaction: ${last}`, problem: null },
    ]
  } catch (error) {
    return [{ name: 'log', detail: 'what is kept after the backup', problem: messageOf(error) }]
  }
}

const refusals = new Set(['CLEW_BACKUP_NEWER', 'CLEW_BACKUP_OTHER_MACHINE', 'CLEW_BACKUP_TARGET'])

async function checkCopy(manifest: Manifest, deps: VerifyDeps): Promise<readonly CheckResult[]> {
  const { folder, open } = deps
  const restored = (problem: string | null): CheckResult => ({
    name: 'bytes',
    detail: `${manifest.archives.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0).toLocaleString('en')} bytes by their SHA-256`,
    problem,
  })
  try {
    await restoreBackup({ id: manifest.id, at: null, to: folder, passphrase: null, withoutKeys: true }, deps)
  } catch (error) {
    if (refusals.has(codeOf(error))) throw error
    return [restored(messageOf(error))]
  }
  const copy = await open(folder, manifest)
  try {
    const { postgres, clickhouse } = manifest
    const engine = copy.clickhouse
    const ofEngines: readonly (CopyCheck | null)[] = [
      postgres === null ? null : { name: 'PostgreSQL', look: () => checkPostgres(postgres, copy) },
      clickhouse === null || engine === null
        ? null
        : { name: 'ClickHouse', look: () => checkClickHouse(clickhouse, engine) },
    ]
    const results = [restored(null)]
    for (const check of [...ofEngines, ...deps.checks]) {
      if (check === null) continue
      const failed = (error: unknown) => ({ detail: '', problem: messageOf(error) })
      results.push({ name: check.name, ...(await check.look(copy).catch(failed)) })
    }
    return results
  } finally {
    await copy.close()
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')
