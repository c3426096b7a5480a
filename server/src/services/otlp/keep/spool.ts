import { join } from 'node:path'
import { type ClickHouse, classifyClickHouseError } from '../../../engines/clickhouse/index.ts'
import {
  isolatePoisonRows,
  openSpool,
  type RefusedRows,
  rewriteRows,
  rowsOf,
  type Spool,
  type SpoolSettings,
  type SpoolSink,
} from '../../../engines/spool/index.ts'
import { announceSessions, type LiveNotices } from '../../../ground/model/live.ts'
import type { Log } from '../../../ground/model/log.ts'
import type { Consent } from '../../../ground/privacy/consent.ts'
import type { Masks } from '../../../ground/privacy/masks.ts'
import { logColumns, spanColumns } from '../rows/columns.ts'
import { type OtlpTarget, otlpTargets } from '../rows/targets.ts'
import { rewriteLines } from './masking.ts'
import { untieRows } from './untie.ts'
import type { Visitors } from './visitors.ts'

export interface OtlpSpoolDeps {
  readonly clickhouse: Pick<ClickHouse, 'insertLines' | 'query'>
  readonly spoolSettings: SpoolSettings
  readonly isDiskShort?: (() => boolean) | undefined
  readonly refused: RefusedRows
  readonly masks: Masks
  /** Whose sessions may be named. */
  readonly consent: Consent
  /** Hears of what was stored. */
  readonly live: LiveNotices
  /** The sessions whose requests stand in these traces; asked only while a session is watched. */
  readonly sessionsOf: (traceIds: readonly string[]) => Promise<readonly string[]>
  /** The most milliseconds between two batches while a session is watched. */
  readonly watchedBatchMs: number
  readonly now: () => Date
  readonly log: Log
}

const columnsOf: Readonly<Record<OtlpTarget, readonly string[]>> = { spans: spanColumns, server_logs: logColumns }

/**
 * Spans and log records on their way to their tables.
 *
 * @param folder of all spools; this one's stands in it
 */
export function openOtlpSpool(deps: OtlpSpoolDeps, visitors: Visitors, folder: string): Promise<Spool<OtlpTarget>> {
  const { consent, clickhouse, refused, masks, live, spoolSettings, watchedBatchMs, now, log } = deps
  const sinkOf = (target: OtlpTarget): SpoolSink => {
    const columns = columnsOf[target]
    // The tables take a row for one however often it comes.
    const store = (lines: readonly Buffer[], onlyFitting: boolean): Promise<void> =>
      clickhouse.insertLines(target, lines, { columns, onlyFitting })
    const sink = isolatePoisonRows({
      target,
      store: async (lines) => {
        await store(lines, false)
        await announce(deps, columns, lines)
      },
      storeFitting: (lines) => store(lines, true),
      classify: classifyClickHouseError,
      refused,
    })
    const rewrite = rewriteLines(target, columns)
    const masking = rewriteRows(sink, async () => rewrite(await masks.current()))
    return async (lines, sending) => masking(await untieRows({ consent, visitors }, columns, lines), sending)
  }
  return openSpool({
    folder: join(folder, 'otlp'),
    content: 'spans',
    targets: otlpTargets,
    sinks: { spans: sinkOf('spans'), server_logs: sinkOf('server_logs') },
    // An exporter forgets what was answered with 200: that must outlive a power cut.
    durability: 'disk',
    settings: spoolSettings,
    isDiskShort: deps.isDiskShort,
    batchMs: () =>
      live.isWatched('session') ? Math.min(watchedBatchMs, spoolSettings.batchMs) : spoolSettings.batchMs,
    now,
    log,
  })
}

/** Announces the sessions of rows that were stored, and that some requests have more to show. */
async function announce(
  { live, sessionsOf }: OtlpSpoolDeps,
  columns: readonly string[],
  blocks: readonly Buffer[],
): Promise<void> {
  live.announce('requests')
  if (!live.isWatched('session')) return
  const [sessionPlace, tracePlace] = [columns.indexOf('session_id'), columns.indexOf('trace_id')]
  const sessions = new Set<string>()
  const traces = new Set<string>()
  for (const row of blocks.flatMap(rowsOf)) {
    const values = JSON.parse(row.toString()) as readonly unknown[]
    sessions.add(String(values[sessionPlace]))
    traces.add(String(values[tracePlace]))
  }
  traces.delete('')
  for (const id of await sessionsOf([...traces])) sessions.add(id)
  announceSessions(live, () => sessions)
}
