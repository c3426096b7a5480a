import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { KeptKind, KeptTable } from '../../../ground/model/service-tables.ts'
import type { Limits } from '../kinds.ts'
import {
  anyBeforeStatement,
  deleteBeforeStatement,
  dropPartitionStatement,
  type PartitionRow,
  partitionsStatement,
  quantileStatement,
} from '../store/clickhouse.ts'
import type { Freed } from '../store/postgres.ts'
import { planReclaim, type Reclaim, type StoredPartition } from './plan.ts'

export interface ReclaimDeps {
  readonly clickhouse: Pick<ClickHouse, 'query' | 'command'>
  readonly tables: readonly KeptTable[]
  readonly limits: Limits
  readonly now: () => Date
}

/** Hears how a clean-up goes on. */
export interface ReclaimProgress {
  readonly signal: AbortSignal
  /** Called with what is deleted next, in words. */
  readonly begins: (what: string) => Promise<void>
  readonly freed: (freed: Freed) => Promise<void>
}

/** The partitions of the analytics database. */
export async function readPartitions(clickhouse: Pick<ClickHouse, 'query'>): Promise<readonly StoredPartition[]> {
  const rows = await clickhouse.query<PartitionRow>(partitionsStatement())
  return rows.map(({ table, id, bytes }) => ({ table, id, bytes: Number(bytes) }))
}

/**
 * Deletes what is past its days or above its budget. Dropped partitions come first, as to rewrite a table takes space
 * before it frees some. The engine removes the files of what was replaced some minutes later.
 */
export async function reclaim(deps: ReclaimDeps, progress: ReclaimProgress): Promise<void> {
  const { tables, limits, now } = deps
  const partitions = await readPartitions(deps.clickhouse)
  const planned = Object.entries(limits).flatMap(([kind, limit]) => {
    const own = tables.filter((table) => table.kind === kind)
    const names = new Set(own.map(({ name }) => name))
    const stored = partitions.filter(({ table }) => names.has(table))
    // The keys of a record of kinds.
    return planReclaim(own, stored, limit, now()).map((step) => ({ kind: kind as KeptKind, step }))
  })
  const isDrop = ({ step }: (typeof planned)[number]): boolean => step.kind === 'drop'
  for (const { kind, step } of [...planned.filter(isDrop), ...planned.filter((each) => !isDrop(each))]) {
    progress.signal.throwIfAborted()
    const done = await perform(deps.clickhouse, step, progress)
    if (done !== null) await progress.freed({ kind, ...done })
  }
}

/** @returns what was freed; null where there was nothing to delete */
async function perform(
  clickhouse: ReclaimDeps['clickhouse'],
  step: Reclaim,
  { begins }: ReclaimProgress,
): Promise<Omit<Freed, 'kind'> | null> {
  if (step.kind === 'drop') {
    const { table, partition, bytes } = step
    const what = `${table} of ${partition.slice(0, 4)}-${partition.slice(4, 6)}-${partition.slice(6)}`
    await begins(what)
    await clickhouse.command(dropPartitionStatement(table, partition))
    return { what, bytes }
  }
  const { table } = step
  const before = step.kind === 'delete before' ? step.before : await instantOf(clickhouse, table, step.share)
  if (before === null || (await clickhouse.query(anyBeforeStatement(table, before))).length === 0) return null
  const what = `${table.name} before ${before.toISOString().slice(0, 16)}Z`
  await begins(what)
  const had = await bytesOf(clickhouse, table.name)
  await clickhouse.command(deleteBeforeStatement(table, before))
  return { what, bytes: Math.max(0, had - (await bytesOf(clickhouse, table.name))) }
}

async function instantOf(clickhouse: ReclaimDeps['clickhouse'], table: KeptTable, share: number): Promise<Date | null> {
  const [row] = await clickhouse.query<{ ms: string; rows: string }>(quantileStatement(table, share))
  return row === undefined || row.rows === '0' ? null : new Date(Number(row.ms))
}

async function bytesOf(clickhouse: ReclaimDeps['clickhouse'], name: string): Promise<number> {
  const partitions = await readPartitions(clickhouse)
  return partitions.reduce((sum, { table, bytes }) => sum + (table === name ? bytes : 0), 0)
}
