import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import type { Postgres, Sql } from '../../engines/postgres/index.ts'
import type { RefusedRows, SpoolSettings, SpoolSink } from '../../engines/spool/index.ts'
import type { Threads } from '../../engines/threads/index.ts'
import type { LiveNotices } from '../../ground/model/live.ts'
import type { Log } from '../../ground/model/log.ts'
import type { Masks } from '../../ground/privacy/masks.ts'
import type { Forget } from '../../ground/privacy/withdrawal.ts'
import type { CaptureSettings } from './capture-settings/settings.ts'
import type { RecordingsPort } from './replay-port.ts'
import type { AnalyticsSettings } from './settings.ts'

/** What analytics needs of engines and other services. */
export interface AnalyticsDeps {
  readonly sql: Sql
  /** Hears of ids that other processes, or SQL, have changed; of none where not given. */
  readonly listen?: Postgres['listen']
  readonly clickhouse: Pick<ClickHouse, 'insertLines' | 'query' | 'command' | 'streamTexts'>
  /** A folder of its own, on a disk that keeps what was synced. */
  readonly spoolDir: string
  /** Folders of the same kind that no process writes any more. */
  readonly leftSpoolDirs?: readonly string[]
  readonly spoolSettings: SpoolSettings
  /** Whether the disk is short of space, so that nothing is taken; never where nothing is given. */
  readonly isDiskShort?: () => boolean
  /** Takes the rows that an engine rejects for what they are. */
  readonly refused: RefusedRows
  /** Project tokens that are taken, the first of them the project's own. */
  /** The list changes in its place. */
  readonly ingestTokens: readonly string[]
  /** Whether a bearer token is a secret key of the project; flag definitions are for servers only. */
  readonly isSecretKey: (key: string) => boolean
  readonly recordings: RecordingsPort
  /** Stores lines of `ExceptionRecord`, each of them an event `$exception`, which is stored besides; none where not given. */
  readonly exceptions?: SpoolSink
  /** Exceptions that browsers are not to send (analytics §3); none where not given. */
  readonly suppressionRules?: () => readonly object[]
  /** What browsers are told to send; what `settings` say where not given. */
  readonly captureSettings?: () => Promise<CaptureSettings>
  /** Properties that are stored masked; none where not given. */
  readonly masks?: Masks
  /** Removes what other services keep of people; called after a withdrawal of consent, and again where it failed. */
  readonly forget?: readonly Forget[]
  /** As `forget`, of what is found by the events and recordings of people only, and so before these go. */
  readonly forgetFirst?: readonly Forget[]
  /** Why what is kept of these ids must stay after a withdrawal for now; null where it may go, as always where not given. */
  readonly reasonToWait?: (distinctIds: readonly string[]) => Promise<string | null>
  /** Milliseconds after which a withdrawal looks for rows once more; ten seconds where nothing is said. */
  readonly settleMs?: number
  /** Where large bodies are read. */
  readonly threads: Pick<Threads, 'run'>
  readonly now: () => Date
  readonly newId: () => string
  readonly settings: AnalyticsSettings
  /** How deep the JSON of a body may nest; 200 where nothing is said. */
  readonly jsonDepth?: number
  /** Hears of what was stored. */
  readonly live?: LiveNotices
  /** Milliseconds between two batches while a session is watched. */
  readonly watchedBatchMs?: number
  readonly log: Log
}
