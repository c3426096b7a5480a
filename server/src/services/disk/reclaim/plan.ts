import type { KeptTable } from '../../../ground/model/service-tables.ts'
import type { KindLimits } from '../kinds.ts'

/** A partition of a table; one without partitions has a single one. */
export interface StoredPartition {
  readonly table: string
  /** Of a partitioned table its first day, `20260131`. */
  readonly id: string
  readonly bytes: number
}

/** What frees space of one kind of data. */
export type Reclaim =
  | { readonly kind: 'drop'; readonly table: string; readonly partition: string; readonly bytes: number }
  | { readonly kind: 'delete before'; readonly table: KeptTable; readonly before: Date }
  | {
      readonly kind: 'delete oldest'
      readonly table: KeptTable
      /** Of its rows, more than 0 and at most 1. */
      readonly share: number
    }

const dayMs = 24 * 60 * 60_000
const partitionDays = { day: 1, week: 7 }
/** A table without partitions is rewritten to delete rows: then to so much of the budget that it is not rewritten each day. */
const aimedShare = 0.9

/**
 * Plans what of one kind of data is deleted: what is past its days, then the oldest until the rest is within the budget.
 * Whole partitions go where there are some; the one that is being written stays.
 */
export function planReclaim(
  tables: readonly KeptTable[],
  partitions: readonly StoredPartition[],
  { budgetBytes, days }: KindLimits,
  now: Date,
): readonly Reclaim[] {
  const keptSince = days === null ? null : new Date(now.getTime() - days * dayMs)
  const whole = tables.filter(({ partition }) => partition === null)
  const dated = datePartitions(tables, partitions)
  const drops: Reclaim[] = []
  const total = partitions.reduce((sum, { bytes }) => sum + bytes, 0)
  let excess = budgetBytes === null ? 0 : total - budgetBytes
  for (const { table, id, bytes, end } of dated) {
    const isPast = keptSince !== null && end <= keptSince
    if (end > now || (excess <= 0 && !isPast)) continue
    drops.push({ kind: 'drop', table, partition: id, bytes })
    excess -= bytes
  }
  return [...drops, ...expire(whole, keptSince), ...shorten(whole, partitions, budgetBytes, excess)]
}

/** Partitions with a date, the oldest first. */
function datePartitions(tables: readonly KeptTable[], partitions: readonly StoredPartition[]) {
  const spans = new Map(tables.map(({ name, partition }) => [name, partition]))
  return partitions
    .flatMap((each) => {
      const span = spans.get(each.table) ?? null
      const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(each.id) ?? []
      if (span === null || day === undefined) return []
      const start = Date.parse(`${year}-${month}-${day}T00:00:00Z`)
      return [{ ...each, end: new Date(start + partitionDays[span] * dayMs) }]
    })
    .toSorted((one, other) => one.end.getTime() - other.end.getTime() || one.table.localeCompare(other.table))
}

const expire = (whole: readonly KeptTable[], keptSince: Date | null): readonly Reclaim[] =>
  keptSince === null
    ? []
    : whole
        .filter(({ expires }) => !expires)
        .map((table) => ({ kind: 'delete before', table, before: keptSince }) as const)

function shorten(
  whole: readonly KeptTable[],
  partitions: readonly StoredPartition[],
  budgetBytes: number | null,
  excess: number,
): readonly Reclaim[] {
  if (budgetBytes === null || excess <= 0 || whole.length === 0) return []
  const names = new Set(whole.map(({ name }) => name))
  const bytes = partitions.reduce((sum, { table, bytes: own }) => sum + (names.has(table) ? own : 0), 0)
  if (bytes === 0) return []
  const share = Math.min(1, (excess + budgetBytes * (1 - aimedShare)) / bytes)
  return whole.map((table) => ({ kind: 'delete oldest', table, share }) as const)
}
