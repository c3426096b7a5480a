import type { Readable } from 'node:stream'
import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import type { AddressRules } from '../../engines/outbound/index.ts'
import type { Sql } from '../../engines/postgres/index.ts'
import type { RootSealing } from '../../ground/ids/root-sealing.ts'
import type { Log } from '../../ground/model/log.ts'
import type { ExportsSettings } from './settings.ts'

/** What can be exported. */
export const exportedKinds = ['events', 'persons', 'requests', 'recordings'] as const
export type ExportedKind = (typeof exportedKinds)[number]

/** Formats of the files, which are their endings as well. */
export const exportFormats = ['parquet', 'csv', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** A bucket of an S3 server. */
export interface Location {
  /** The server; null for Amazon's. */
  readonly endpoint: string | null
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly pathStyle: boolean
}

/** The few operations of a bucket that exports need. */
export interface ExportBucket {
  upload(key: string, body: Readable, mostBytes: number): Promise<unknown>
  put(key: string, bytes: Buffer): Promise<void>
  remove(key: string): Promise<void>
  close(): void
}

/** Rows of one kind, in a file on this machine. */
export interface RowsFile {
  readonly kind: ExportedKind
  readonly format: ExportFormat
  /** What was stored from then on, and before `to`; persons are all of those who are known. */
  readonly from: Date | null
  readonly to: Date | null
  readonly out: string
}

/** A schedule that was read. */
export interface ReadSchedule {
  readonly words: string
  /** When it is due after an instant; null where that is not within a year. */
  readonly nextAfter: (at: Date) => Date | null
}

/** What exports need of engines and other services. */
export interface ExportsDeps {
  readonly sql: Sql
  readonly clickhouse: Pick<ClickHouse, 'query' | 'kind'>
  /** Writes rows into a file that is not there yet. */
  readonly writeRows: (file: RowsFile) => Promise<{ readonly rows: number; readonly bytes: number }>
  readonly openBucket: (
    location: Location & { readonly timeoutSeconds: number; readonly rules: AddressRules },
  ) => Promise<ExportBucket>
  /** A schedule of five fields in UTC; null for any other text. */
  readonly readSchedule: (text: string) => ReadSchedule | null
  /** The latest job that masks what was stored before; null while one of them has work to do. */
  readonly maskedTo: () => Promise<string | null>
  /** Where buckets may be. */
  readonly rules: AddressRules
  readonly sealing: RootSealing
  /** For files on their way; what is in it is removed. */
  readonly folder: string
  /** Milliseconds until what is being stored is stored; a minute where nothing is said. */
  readonly settleMs?: number
  /** Milliseconds after which another process takes up a run of which nothing was heard; two minutes where nothing is said. */
  readonly leaseMs?: number
  readonly now: () => Date
  readonly newId: () => string
  readonly settings: ExportsSettings
  readonly log: Log
  /** Called when a run has gone on. */
  readonly changed: () => void
}
