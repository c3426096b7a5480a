import type { Manifest } from './copies/manifest.ts'
import { pieceNameOf, piecesFolder } from './copies/pieces.ts'
import { readIndex } from './copies/read-index.ts'
import type { BackupTarget } from './target/target.ts'
import { type ListedLog, planUnneeded, sumParts } from './wal/prune-wal.ts'

/** Above the budget so much of it is aimed at: the log grows until the next clean-up. */
const aimedShare = 0.9

/** With which backup each piece goes, where backups go for the budget. */
export interface LastUses {
  /** The ids of those that may go, in the order in which they do: the oldest first. */
  readonly order: readonly string[]
  /** Of each piece by its name the place in `order` of the last backup that has it; the length of `order` where it stays. */
  readonly of: ReadonlyMap<string, number>
}

/**
 * Reads which pieces backups have: some 100 bytes of memory for each.
 *
 * @param manifests the oldest first
 * @param fixed     ids of those that stay whatever they take
 */
export async function findLastUses(
  target: BackupTarget,
  manifests: readonly Manifest[],
  fixed: ReadonlySet<string>,
): Promise<LastUses> {
  const order = manifests.map(({ id }) => id).filter((id) => !fixed.has(id))
  const of = new Map<string, number>()
  for (const { id, archives } of manifests) {
    const place = fixed.has(id) ? order.length : order.indexOf(id)
    const use = (sha256: string): void => {
      const name = pieceNameOf(sha256)
      of.set(name, Math.max(place, of.get(name) ?? 0))
    }
    for (const archive of archives) {
      archive.index.forEach(use)
      for await (const line of readIndex(target, archive)) if (line.kind === 'piece') use(line.sha256)
    }
  }
  return { order, of }
}

/** What goes with each backup of `order`, in bytes; the last element is what stays. */
export async function sizesByLastUse(target: BackupTarget, { order, of }: LastUses): Promise<readonly number[]> {
  const sizes = Array.from({ length: order.length + 1 }, () => 0)
  for await (const { name, sizeBytes } of target.list(piecesFolder)) {
    const place = of.get(name)
    if (place !== undefined) sizes[place] = (sizes[place] ?? 0) + sizeBytes
  }
  return sizes
}

interface FitInput {
  /** The oldest first. */
  readonly manifests: readonly Manifest[]
  readonly uses: Pick<LastUses, 'order'>
  /** As of `sizesByLastUse`. */
  readonly sizes: readonly number[]
  readonly log: ListedLog
  readonly walDays: number
  readonly budgetBytes: number
}

/**
 * How many of the backups that may go do, the oldest first, so that the others and the log that they need take nine tenths
 * of the budget; none while they are within it.
 */
export function countThatGo({ manifests, uses: { order }, sizes, log, walDays, budgetBytes }: FitInput): number {
  const bytesWithout = (count: number): number => {
    const gone = new Set(order.slice(0, count))
    const staying = manifests.filter(({ id }) => !gone.has(id))
    const unneeded = planUnneeded(log, staying, walDays).map(({ parts }) => parts)
    const pieces = sizes.slice(count).reduce((sum, bytes) => sum + bytes, 0)
    return pieces + sumParts([...log.parts.values()]) - sumParts(unneeded)
  }
  if (bytesWithout(0) <= budgetBytes) return 0
  const enough = order.findIndex((_, count) => bytesWithout(count) <= budgetBytes * aimedShare)
  return enough === -1 ? order.length : enough
}
