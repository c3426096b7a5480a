import type { ClickHouse } from '../../../../engines/clickhouse/index.ts'
import { instantOf } from '../../record/request-lines.ts'
import type { SlowStatement, SlowStatements } from '../../schemas/slow-statement.ts'
import {
  type CallRow,
  type HurtRow,
  type SlowOrder,
  type SlowRow,
  type SlowStretch,
  selectCallsStatement,
  selectHurtStatement,
  selectSlowStatement,
} from '../queries/slow-statements.ts'
import type { ThreadStore } from '../store.ts'

/** Which statements are asked for. */
export interface SlowQuery {
  /** ISO instants; up to now where `to` is absent. */
  readonly from: string
  readonly to?: string
  readonly order: SlowOrder
  readonly limit: number
}

/** What slow statements are read by. */
export interface SlowStatementsDeps extends Pick<ClickHouse, 'query'> {
  readonly now: () => Date
  readonly timeBehind: ThreadStore['timeBehind']
  /** The newest requests of a time whose statements are counted; those before them are left out. */
  readonly chartedRequests: number
}

/** Calls of one statement that are looked at for who waited. */
const callsPerStatement = 2000

/** The statements that took most of the database's time, and who waited for them. */
export function createSlowStatements({ query, now, timeBehind, chartedRequests }: SlowStatementsDeps) {
  return async (asked: SlowQuery): Promise<SlowStatements> => {
    const from = new Date(asked.from)
    const to = asked.to === undefined ? now() : new Date(asked.to)
    const behind = await timeBehind(from, to, chartedRequests)
    const stretch: SlowStretch = { from: behind ?? from, to }
    const rows = await query<SlowRow>(selectSlowStatement(stretch, asked.order, asked.limit))
    const answer = { from: stretch.from.toISOString(), to: to.toISOString(), isCut: behind !== null }
    if (rows.length === 0) return { ...answer, statements: [] }
    const fingerprints = rows.map(({ fingerprint }) => fingerprint)
    const [hurt, calls] = await Promise.all([
      query<HurtRow>(selectHurtStatement(stretch, fingerprints, callsPerStatement)),
      query<CallRow>(selectCallsStatement(rows.map((row) => row.latest_key))),
    ])
    const hurtBy = new Map(hurt.map((row) => [row.fingerprint, row]))
    const callOf = new Map(calls.map((row) => [`${row.request_id} ${row.ordinal}`, row]))
    return {
      ...answer,
      // A call that its lifetime has just taken has no text any more.
      statements: rows.flatMap((row) => {
        const call = callOf.get(row.latest_key.join(' '))
        return call === undefined ? [] : [render(row, call, hurtBy.get(row.fingerprint))]
      }),
    }
  }
}

function render(row: SlowRow, { text, role, time }: CallRow, hurt: HurtRow | undefined): SlowStatement {
  const [p50Ms, p95Ms] = row.durations
  return {
    ...{ text, role, p50Ms, p95Ms },
    fingerprint: row.fingerprint,
    services: [...(hurt?.services ?? [])].sort(),
    calls: Number(row.calls),
    errors: Number(row.errors),
    totalMs: row.total_ms,
    maxMs: row.max_ms,
    rows: Number(row.rows),
    sessions: Number(hurt?.sessions ?? 0),
    people: Number(hurt?.people ?? 0),
    latestAt: instantOf(time).toISOString(),
  }
}
