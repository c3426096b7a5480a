import { type Static, Type } from 'typebox'
import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { CopiedServer } from '../../../engines/postgres/index.ts'

export const CheckResultSchema = Type.Object({
  name: Type.String(),
  /** What was looked at, in numbers. */
  detail: Type.String(),
  /** What is wrong; null where nothing is. */
  problem: Type.Union([Type.String(), Type.Null()]),
})

/** What a check of a backup came to. */
export type CheckResult = Readonly<Static<typeof CheckResultSchema>>

/** A restored copy whose engines run, on separate sockets. Its jobs, webhooks and mails do not run. */
export interface OpenedCopy {
  readonly postgres: CopiedServer
  /** Null where the backup has no tables of ClickHouse. */
  readonly clickhouse: ClickHouse | null
  /** Its data directory. */
  readonly folder: string
  close(): Promise<void>
}

/** Looks at a restored copy; what it throws is a problem. */
export interface CopyCheck {
  readonly name: string
  readonly look: (copy: OpenedCopy) => Promise<Omit<CheckResult, 'name'>>
}
