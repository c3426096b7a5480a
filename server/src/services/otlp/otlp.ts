import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import { drainSpools, type SpoolBacklog } from '../../engines/spool/index.ts'
import type { Threads } from '../../engines/threads/index.ts'
import type { EngineHealth } from '../../ground/model/health.ts'
import type { MaskedStore } from '../../ground/privacy/masks.ts'
import type { Forget } from '../../ground/privacy/withdrawal.ts'
import { createLogList, type LogList } from './answer/log-list.ts'
import { createFindTraces, type FindTraces } from './answer/traces.ts'
import { createForget } from './keep/forget.ts'
import { otlpMaskedStores } from './keep/masking.ts'
import { type OtlpSpoolDeps, openOtlpSpool } from './keep/spool.ts'
import { createVisitors } from './keep/visitors.ts'
import type { OtlpSettings } from './settings.ts'
import { createTake, type Take } from './take/take.ts'

/** The engines, settings and other rooms' answers that it is made of. */
export interface OtlpDeps extends Omit<OtlpSpoolDeps, 'clickhouse'> {
  readonly clickhouse: ClickHouse
  /** The folder of all spools, on a disk; spans and log records have their own in it. */
  readonly spoolDir: string
  /** Folders of the same kind that no process writes any more. */
  readonly leftSpoolDirs?: readonly string[]
  readonly threads: Pick<Threads, 'run'>
  /** Tables of ClickHouse whose rows name a session and its visitor, as `session_id` and `distinct_id`. */
  readonly visitorTables: readonly string[]
  /** How deep the values of attributes, or the JSON of a body, may nest. */
  readonly jsonDepth: number
  readonly settings: OtlpSettings
}

/** Spans and log records of the team's own servers. */
export interface Otlp extends Take {
  readonly settings: OtlpSettings
  /** What waits to be stored. */
  waiting(): SpoolBacklog
  health(): Promise<EngineHealth>
  /** What was told of some traces, or of a recorded session. */
  readonly findTraces: FindTraces
  /** What was logged, with or without a trace. */
  readonly logs: LogList
  readonly maskedStores: readonly MaskedStore[]
  /** Takes the names of these visitors' sessions from what is stored; before what else is stored of them goes. */
  readonly forget: Forget
  /** Resolves when everything until now is stored. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Its tables may come later: what cannot be stored yet is tried again. */
export async function createOtlp(deps: OtlpDeps): Promise<Otlp> {
  const { clickhouse, threads, settings, jsonDepth, now } = deps
  const visitors = createVisitors(clickhouse, deps.visitorTables)
  const open = (folder: string) => openOtlpSpool(deps, visitors, folder)
  const spool = await open(deps.spoolDir)
  const left = await drainSpools(open, deps.leftSpoolDirs ?? [])
  const limits = { ...settings, jsonDepth }
  const take = createTake({ spool, threads, limits, retryAfterSeconds: settings.retryAfterSeconds, now })
  return {
    ...take,
    settings,
    waiting: spool.backlog,
    health: spool.health,
    findTraces: createFindTraces(clickhouse, settings.shownRecords),
    logs: createLogList(clickhouse, now),
    maskedStores: otlpMaskedStores(clickhouse),
    forget: createForget(clickhouse, visitors),
    flush: spool.settled,
    async close() {
      await left.close()
      await spool.close()
    },
  }
}
