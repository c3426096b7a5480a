import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import type { Sql } from '../../engines/postgres/index.ts'
import { messageOf } from '../../ground/errors/message.ts'
import type { Log } from '../../ground/model/log.ts'
import type { KeptTable } from '../../ground/model/service-tables.ts'
import { type DiskKind, diskKinds } from './kinds.ts'
import { readPartitions } from './reclaim/reclaim.ts'
import { databaseBytesStatement, mayMonitorStatement, serverBytesStatement } from './store/postgres.ts'

/** What takes space outside the engines. */
const measuredKinds = ['files', 'spool', 'logs', 'backups', 'restore points'] as const
export type MeasuredKind = (typeof measuredKinds)[number]

/** Where a kind is kept, and what it takes. */
export interface Measured {
  /** Whether it is on the disk of the data directory. */
  readonly isHere: boolean
  /** Days for which its own room keeps it. */
  readonly days?: number
  readonly bytes: () => Promise<number>
}

export interface MeasureDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly clickhouse: Pick<ClickHouse, 'query' | 'kind'>
  readonly tables: readonly KeptTable[]
  /** Whether PostgreSQL is a server of its own. */
  readonly isExternal: boolean
  /** What is kept of kinds outside the engines; a kind that is not named is not kept. */
  readonly others: Readonly<Partial<Record<MeasuredKind, Measured>>>
  readonly log: Log
}

/** What each kind takes in bytes; without those that could not be measured. */
export type Sizes = ReadonlyMap<DiskKind, number>

/** Measures all kinds. A kind that cannot be measured is left out and logged, and the others are told. */
export function createMeasure({ sql: database, clickhouse, tables, isExternal, others, log }: MeasureDeps) {
  const kindOf = new Map(tables.map(({ name, kind }) => [name, kind]))

  async function analytics(): Promise<readonly (readonly [DiskKind, number])[]> {
    const sums = new Map<DiskKind, number>(tables.map(({ kind }) => [kind, 0]))
    for (const { table, bytes } of await readPartitions(clickhouse)) {
      const kind = kindOf.get(table) ?? 'other analytics'
      sums.set(kind, (sums.get(kind) ?? 0) + bytes)
    }
    return [...sums]
  }
  async function ofDatabase(): Promise<readonly (readonly [DiskKind, number])[]> {
    const [may] = (await database.query<{ mayMonitor: boolean }>(mayMonitorStatement())).rows
    const statement = may?.mayMonitor === true ? serverBytesStatement() : databaseBytesStatement()
    const [row] = (await database.query<{ bytes: number }>(statement)).rows
    return [['database', row?.bytes ?? 0]]
  }

  return {
    async sizes(): Promise<Sizes> {
      const parts = [
        analytics(),
        ofDatabase(),
        ...Object.entries(others).map(async ([kind, { bytes }]) => [[kind as DiskKind, await bytes()]] as const),
      ]
      const found = await Promise.allSettled(parts)
      return new Map(
        found.flatMap((each) => {
          if (each.status === 'fulfilled') return each.value
          log.warn({ err: each.reason, reason: messageOf(each.reason) }, 'disk: something could not be measured')
          return []
        }),
      )
    },
    /** Whether a kind is on the disk of the data directory. */
    isHere(kind: DiskKind): boolean {
      if (kind === 'database') return !isExternal
      return kind in others ? others[kind as MeasuredKind]?.isHere === true : clickhouse.kind === 'embedded'
    },
    /** The kinds that are kept, in their order. */
    kinds: diskKinds.filter((kind) => kind in others || !(measuredKinds as readonly string[]).includes(kind)),
    /** Days for which a kind outside the engines is kept; null for good. */
    daysOf: (kind: DiskKind): number | null => others[kind as MeasuredKind]?.days ?? null,
  }
}
