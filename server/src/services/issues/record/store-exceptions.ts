import { setImmediate as turn } from 'node:timers/promises'
import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import { classifyClickHouseError } from '../../../engines/clickhouse/index.ts'
import { classifyPostgresError, isDatabaseError, type Sql } from '../../../engines/postgres/index.ts'
import { isolatePoisonRows, type RefusedRows, type SpoolSink } from '../../../engines/spool/index.ts'
import type { ExceptionRecord } from '../../../ground/errors/exception-record.ts'
import type { LiveNotices } from '../../../ground/model/live.ts'
import { type Consent, mayBeStored } from '../../../ground/privacy/consent.ts'
import { parseReport } from '../exception/exception.ts'
import { fingerprintOf } from '../exception/fingerprint.ts'
import type { Exception } from '../exception/model.ts'
import { findRule, type Rule } from '../exception/rules.ts'
import { findRules } from '../store/rules.ts'
import { seenStatements } from '../store/seen.ts'
import { exceptionColumns, exceptionLine, recordsOf } from './lines.ts'
import { type RuledException, seenOf } from './seen.ts'

export interface StoreExceptionsDeps {
  readonly sql: Sql
  readonly clickhouse: Pick<ClickHouse, 'insertLines'>
  /** Puts the places of the sources in place of the built files', for each chain; in their order. */
  readonly resolve: (
    chains: readonly { readonly release: string | null; readonly exceptions: readonly Exception[] }[],
  ) => Promise<readonly (readonly Exception[])[]>
  /** Takes the rows that an engine rejects for what they are. */
  readonly refused: RefusedRows
  /** Whose exceptions may be stored. */
  readonly consent: Consent
  readonly live: LiveNotices
  readonly now: () => Date
  /** Called when issues may have been made or reopened. */
  readonly stored: () => void
}

/** So many exceptions are read in one turn of the event loop. */
const sliceRecords = 50

/**
 * The sink of a spool's exceptions: groups them, keeps the exceptions in ClickHouse and the issues in PostgreSQL. Storing
 * twice leaves what storing once leaves.
 */
export function createExceptionSink(deps: StoreExceptionsDeps): SpoolSink {
  return isolatePoisonRows({
    target: 'exceptions',
    store: (blocks) => store(deps, blocks),
    classify: (error) => (isDatabaseError(error) ? classifyPostgresError(error) : classifyClickHouseError(error)),
    refused: deps.refused,
  })
}

async function store(deps: StoreExceptionsDeps, blocks: readonly Buffer[]): Promise<void> {
  const { sql, clickhouse, live, now, stored } = deps
  const records = await allowed(deps.consent, recordsOf(blocks))
  const rules = await findRules(sql)
  for (let start = 0; start < records.length; start += sliceRecords) {
    const grouped = await group(deps, rules, records.slice(start, start + sliceRecords))
    if (grouped.length > 0) {
      await clickhouse.insertLines('exceptions', grouped.map(exceptionLine), { columns: exceptionColumns })
      await sql.transaction(async (tx) => {
        for (const statement of seenStatements(seenOf(grouped), now())) await tx.query(statement)
      })
    }
    await turn()
  }
  live.announce('errors')
  stored()
}

/**
 * Exceptions as they may be stored: what a client captured of a visitor without consent is left out, and what failed here
 * names neither them nor their session.
 */
async function allowed(consent: Consent, records: readonly ExceptionRecord[]): Promise<readonly ExceptionRecord[]> {
  if (await consent.isOpen()) return records
  const since = await consent.since([...new Set(records.map(({ distinctId }) => distinctId))])
  return records.flatMap((record) => {
    const times = { receivedMs: record.receivedAtMs, happenedMs: record.timeMs }
    if (mayBeStored(since.get(record.distinctId), () => times)) return record
    if (record.source === 'browser' || record.source === 'server') return []
    return { ...record, sessionId: '', windowId: '', distinctId: '' }
  })
}

/** Groups exceptions, by the source where source maps tell it; those that a rule ignores are left out. */
async function group(
  { resolve }: StoreExceptionsDeps,
  rules: readonly Rule[],
  records: readonly ExceptionRecord[],
): Promise<readonly RuledException[]> {
  const reports = records.map(({ properties }) => parseReport(properties))
  const resolved = await resolve(reports)
  return records.flatMap((record, index) => {
    const report = reports[index]
    if (report === undefined) return []
    const inSource = { ...report, exceptions: resolved[index] ?? report.exceptions }
    const rule = findRule(rules, inSource.exceptions)
    if (rule?.action === 'ignore') return []
    // The places of the built file are kept: a map that comes later explains them.
    return [{ record, report, rule, fingerprint: fingerprintOf(inSource, rule), inSource }]
  })
}
