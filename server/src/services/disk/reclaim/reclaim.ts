import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { KeptLonger } from '../../../ground/model/kept-longer.ts'
import type { KeptKind, KeptTable } from '../../../ground/model/service-tables.ts'
import type { SqlFragment } from '../../../ground/sql/sql.ts'
import type { Limits } from '../kinds.ts'
import {
  anyBeforeStatement,
  deleteBeforeStatement,
  deleteInPartitionStatement,
  dropPartitionStatement,
  type KeptRowsRow,
  keptRowsStatement,
  type PartitionRow,
  partitionsStatement,
  quantileStatement,
} from '../store/clickhouse.ts'
import type { Freed } from '../store/postgres.ts'
import { planReclaim, type Reclaim, type StoredPartition } from './plan.ts'

export interface ReclaimDeps {
  readonly clickhouse: Pick<ClickHouse, 'query' | 'command'>
  readonly tables: readonly KeptTable[]
  readonly keptLonger: KeptLonger
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
 * Deletes what is past its days or above its budget, but for what is kept longer, which comes on top of a budget. Dropped
 * partitions come first, as to rewrite a table takes space before it frees some. The engine removes the files of what was
 * replaced some minutes later.
 */
export async function reclaim(deps: ReclaimDeps, progress: ReclaimProgress): Promise<void> {
  const { tables, limits, now } = deps
  const partitions = await freeable(deps, await readPartitions(deps.clickhouse))
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
    const done = await perform(deps, step, progress)
    if (done !== null) await progress.freed({ kind, ...done })
  }
}

/** Partitions with the bytes that may go: without the share of their rows that is kept longer. */
async function freeable(
  { clickhouse, keptLonger, tables }: ReclaimDeps,
  partitions: readonly StoredPartition[],
): Promise<readonly StoredPartition[]> {
  const shares = new Map<string, number>()
  for (const { name } of tables) {
    const kept = await keptLonger.condition(name)
    if (kept === null) continue
    for (const row of await clickhouse.query<KeptRowsRow>(keptRowsStatement(name, kept)))
      shares.set(`${name} ${row.id}`, 1 - Number(row.kept) / Number(row.rows))
  }
  return partitions.flatMap(({ table, id, bytes }) => {
    const share = shares.get(`${table} ${id}`) ?? 1
    return share === 0 ? [] : [{ table, id, bytes: Math.round(bytes * share) }]
  })
}

/** @returns what was freed; null where there was nothing to delete */
async function perform(
  { clickhouse, keptLonger }: Pick<ReclaimDeps, 'clickhouse' | 'keptLonger'>,
  step: Reclaim,
  { begins }: ReclaimProgress,
): Promise<Omit<Freed, 'kind'> | null> {
  if (step.kind === 'drop') {
    const { table, partition, bytes } = step
    const what = `${table} of ${partition.slice(0, 4)}-${partition.slice(4, 6)}-${partition.slice(6)}`
    await begins(what)
    await clearPartition(clickhouse, table, partition, await keptLonger.condition(table))
    return { what, bytes }
  }
  const { table } = step
  const kept = await keptLonger.condition(table.name)
  const before = step.kind === 'delete before' ? step.before : await instantOf(clickhouse, table, step.share, kept)
  if (before === null || (await clickhouse.query(anyBeforeStatement(table, before, kept))).length === 0) return null
  const what = `${table.name} before ${before.toISOString().slice(0, 16)}Z`
  await begins(what)
  const had = await bytesOf(clickhouse, table.name)
  await clickhouse.command(deleteBeforeStatement(table, before, kept))
  return { what, bytes: Math.max(0, had - (await bytesOf(clickhouse, table.name))) }
}

/** Drops a partition, or where something of it is kept longer deletes the rest. */
async function clearPartition(
  clickhouse: ReclaimDeps['clickhouse'],
  table: string,
  partition: string,
  kept: SqlFragment | null,
): Promise<void> {
  const rows = kept === null ? [] : await clickhouse.query<KeptRowsRow>(keptRowsStatement(table, kept))
  const isKept = rows.some((row) => row.id === partition && row.kept !== '0')
  await clickhouse.command(
    kept !== null && isKept
      ? deleteInPartitionStatement(table, partition, kept)
      : dropPartitionStatement(table, partition),
  )
}

async function instantOf(
  clickhouse: ReclaimDeps['clickhouse'],
  table: KeptTable,
  share: number,
  kept: SqlFragment | null,
): Promise<Date | null> {
  const [row] = await clickhouse.query<{ ms: string; rows: string }>(quantileStatement(table, share, kept))
  return row === undefined || row.rows === '0' ? null : new Date(Number(row.ms))
}

async function bytesOf(clickhouse: ReclaimDeps['clickhouse'], name: string): Promise<number> {
  const partitions = await readPartitions(clickhouse)
  return partitions.reduce((sum, { table, bytes }) => sum + (table === name ? bytes : 0), 0)
}
