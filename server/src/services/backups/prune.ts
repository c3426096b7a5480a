import { pruneKeys } from './copies/kept-keys.ts'
import { listIds, type Manifest, readManifest, removeManifest } from './copies/manifest.ts'
import { piecesFolder } from './copies/pieces.ts'
import { backupsError } from './errors.ts'
import { countThatGo, findLastUses, type LastUses, sizesByLastUse } from './fit-budget.ts'
import { planKept } from './keep.ts'
import type { BackupSettings } from './settings.ts'
import type { BackupTarget } from './target/target.ts'
import { readVerification, removeVerification } from './verify/record.ts'
import { type ListedLog, listLog, planUnneeded, removeLog, sumParts } from './wal/prune-wal.ts'

/** Which backups stay. */
export interface PruneRules extends Pick<BackupSettings, 'keepDaily' | 'keepWeekly' | 'keepMonthly' | 'walDays'> {
  /** Bytes that backups and their log may take; null for as many as the other rules keep. */
  readonly budgetBytes: number | null
}

export interface PruneInput {
  /** Backups to be removed; null for those that no rule keeps. */
  readonly ids: readonly string[] | null
  readonly isDryRun: boolean
}

export interface Pruned {
  readonly removed: readonly string[]
  /** Pieces that no other backup has, also those that a killed backup has left. */
  readonly pieces: number
  readonly freedBytes: number
  /** Parts of the log that no kept backup needs. */
  readonly logParts: number
  /** What the backups that stay take, with their log. */
  readonly leftBytes: number
}

/**
 * Removes backups, then the pieces that none of the others has. The caller has the turn (`takeTurn`): pieces of a backup that
 * is being made belong to none yet.
 *
 * @throws CLEW_BACKUP_NOT_FOUND; CLEW_BACKUP_DAMAGED and CLEW_BACKUP_NEWER where a backup stays whose pieces are not known
 */
export async function pruneBackups(target: BackupTarget, rules: PruneRules, input: PruneInput): Promise<Pruned> {
  const plan = await planPrune(target, rules, input.ids)
  if (!input.isDryRun) {
    for (const id of plan.removed) {
      await removeManifest(target, id)
      await removeVerification(target, id)
    }
    await target.settle()
  }
  const pieces = await collectPieces(target, plan, input)
  const unneeded = planUnneeded(plan.log, plan.staying, rules.walDays)
  if (!input.isDryRun) await removeLog(target, unneeded)
  if (!input.isDryRun) await pruneKeys(target, plan.staying[0] ?? null)
  const logBytes = sumParts([...plan.log.parts.values()]) - sumParts(unneeded.map(({ parts }) => parts))
  return {
    removed: plan.removed,
    pieces: pieces.count,
    freedBytes: pieces.bytes,
    logParts: unneeded.reduce((sum, { parts }) => sum + parts.length, 0),
    leftBytes: pieces.leftBytes + logBytes,
  }
}

/** What a clean-up removes. */
interface PrunePlan {
  readonly removed: readonly string[]
  /** The backups that stay, the oldest first. */
  readonly staying: readonly Manifest[]
  readonly uses: LastUses
  /** How many of those that `uses` knows go for the budget. */
  readonly overBudget: number
  readonly log: ListedLog
}

async function planPrune(
  target: BackupTarget,
  rules: PruneRules,
  ids: PrunePlan['removed'] | null,
): Promise<PrunePlan> {
  const all = await listIds(target)
  const unknown = ids?.find((id) => !all.includes(id))
  if (unknown !== undefined)
    throw backupsError('CLEW_BACKUP_NOT_FOUND', { message: `There is no backup ${unknown} in ${target.name}.` })
  const good = await findGood(target, all)
  const kept = new Set([...planKept(all, rules), ...good])
  const removed = ids ?? all.filter((id) => !kept.has(id))
  const manifests = await readAll(
    target,
    all.filter((id) => !removed.includes(id)),
  )
  const log = await listLog(target)
  const fixed = new Set([...all.slice(-1), ...good])
  const uses = await findLastUses(target, manifests, fixed)
  const { budgetBytes, walDays } = rules
  const overBudget =
    ids !== null || budgetBytes === null
      ? 0
      : countThatGo({ manifests, uses, sizes: await sizesByLastUse(target, uses), log, walDays, budgetBytes })
  const over = uses.order.slice(0, overBudget)
  const staying = manifests.filter(({ id }) => !over.includes(id))
  return { removed: [...removed, ...over], staying, uses, overBudget, log }
}

/** Removes the pieces that no backup has which stays. */
async function collectPieces(target: BackupTarget, { uses, overBudget }: PrunePlan, { isDryRun }: PruneInput) {
  const found = { count: 0, bytes: 0, leftBytes: 0 }
  for await (const { name, sizeBytes } of target.list(piecesFolder)) {
    if ((uses.of.get(name) ?? -1) >= overBudget) {
      found.leftBytes += sizeBytes
      continue
    }
    found.count += 1
    found.bytes += sizeBytes
    if (!isDryRun) await target.remove(name)
  }
  return found
}

/** The newest backup that was opened and found whole; nothing where none was. */
async function findGood(target: BackupTarget, ids: readonly string[]): Promise<readonly string[]> {
  for (const id of [...ids].reverse()) if ((await readVerification(target, id))?.isGood === true) return [id]
  return []
}

/** @throws CLEW_BACKUP_DAMAGED, CLEW_BACKUP_NEWER for one that cannot be read */
async function readAll(target: BackupTarget, ids: readonly string[]): Promise<readonly Manifest[]> {
  const manifests: Manifest[] = []
  for (const id of ids) manifests.push(await readManifest(target, id))
  return manifests
}
