import type { ClickHouseAddress } from '../engines/clickhouse/index.ts'
import type { ChangeSource } from '../engines/postgres/index.ts'
import type { ChangeTransaction } from '../ground/model/change.ts'
import type { EngineHealth } from '../ground/model/health.ts'
import type { ThreadSettings } from '../services/thread/index.ts'

/** What the thread is given at its start: all of it can be cloned. */
export interface ChangeTask {
  readonly source: ChangeSource
  readonly clickhouse: ClickHouseAddress
  readonly settings: ThreadSettings
  /** How long nothing may be stored before health says so. */
  readonly stuckMs: number
  /** Where rows that ClickHouse refuses are kept. */
  readonly refused: { readonly folder: string; readonly limitBytes: number }
}

/** What the thread says. */
export type FromWorker =
  | {
      readonly kind: 'health'
      readonly health: EngineHealth
      readonly behindBytes: number
      readonly refusedRows: number
    }
  | { readonly kind: 'log'; readonly line: string }
  /** For those who subscribed; `settled` with this number is waited for. */
  | { readonly kind: 'transaction'; readonly number: number; readonly transaction: ChangeTransaction }

/** What the thread is told. */
export type ToWorker =
  | { readonly kind: 'subscribe'; readonly on: boolean }
  | { readonly kind: 'settled'; readonly number: number; readonly refusal: string | null }
  /** How busy the main thread's event loop was lately, from 0 to 1. */
  | { readonly kind: 'load'; readonly utilization: number }
  | { readonly kind: 'close' }
