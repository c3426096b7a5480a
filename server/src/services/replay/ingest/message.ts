import type { ScannedEvents } from './scan.ts'

/** One `$snapshot` message, as capture has read it from a request. */
export interface SnapshotMessage {
  readonly uuid: string
  readonly distinctId: string
  readonly sessionId: string
  readonly windowId: string
  readonly sentAtMs: number | null
  /** `$snapshot_data`: rrweb events as received, fields named by `cv` still compressed; scanned, or parsed. */
  readonly events: ScannedEvents | readonly unknown[]
}

/** What the request that carried a message says of it. */
export interface SnapshotContext {
  readonly receivedAtMs: number
  readonly userAgent: string | null
}
