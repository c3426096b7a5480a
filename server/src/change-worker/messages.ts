import type { ClickHouseAddress } from '../engines/clickhouse/index.ts'
import type { ChangeSource } from '../engines/postgres/index.ts'
import type { ChangeTransaction } from '../ground/model/change.ts'
import type { EngineHealth } from '../ground/model/health.ts'
import type { MaskList } from '../ground/privacy/masks.ts'
import type { ThreadSettings } from '../services/thread/index.ts'

/** What the thread needs at its start: all of it can be cloned. */
export interface ChangeTask {
  readonly source: ChangeSource
  readonly clickhouse: ClickHouseAddress
  readonly settings: ThreadSettings
  /** How long nothing may be stored, or heard of the thread, before health is down. */
  readonly stuckMs: number
  /** The folder of rows that ClickHouse refuses. */
  readonly refused: { readonly folder: string; readonly limitBytes: number }
}

/** A message of the thread. */
export type FromWorker =
  /** Sent several times a second, so that silence shows a thread that hangs. */
  | {
      readonly kind: 'health'
      readonly health: EngineHealth
      readonly behindBytes: number
      readonly refusedRows: number
    }
  | { readonly kind: 'log'; readonly line: string }
  /** Row changes were stored. */
  | { readonly kind: 'stored' }
  /** Asks what is masked; answered with this number. */
  | { readonly kind: 'masks'; readonly number: number }
  /** For the main thread's readers; the stream waits for `settled` with this number. */
  | { readonly kind: 'transaction'; readonly number: number; readonly transaction: ChangeTransaction }

/** A message to the thread. */
export type ToWorker =
  | { readonly kind: 'subscribe'; readonly on: boolean }
  | { readonly kind: 'settled'; readonly number: number; readonly failure: string | null }
  /** How busy the main thread's event loop was lately, from 0 to 1. */
  | { readonly kind: 'load'; readonly utilization: number }
  /** What is masked; null where it could not be read. */
  | { readonly kind: 'masks'; readonly number: number; readonly list: MaskList | null }
  | { readonly kind: 'close' }
