import type { CopiedServer } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'

/** The physical slot by which PostgreSQL holds its log until it is kept, as far as `max_slot_wal_keep_size` allows. */
export const walSlot = 'clew_backup'

/** The server whose log is kept. */
export type WalServer = Pick<CopiedServer, 'query' | 'receiveWal'>

export interface SlotFacts {
  /** Log from there on is held; null where it is lost. */
  readonly restartLsn: string | null
  /** Whether a connection reads it. */
  readonly isActive: boolean
  /** As `max_slot_wal_keep_size` says. */
  readonly keeps: string
}

export const readSlotStatement = (): Statement =>
  compile(sql`
    select case when s.wal_status <> 'lost' then s.restart_lsn::text end as "restartLsn", s.active as "isActive",
      pg_catalog.current_setting('max_slot_wal_keep_size') as keeps
    from pg_catalog.pg_replication_slots s
    where s.slot_name = ${walSlot}`)

/** The log is held from the latest checkpoint on. */
export const createSlotStatement = (): Statement =>
  compile(sql`select pg_catalog.pg_create_physical_replication_slot(${walSlot}, true)`)

/** Nothing where there is none, or a process reads it. */
export const dropSlotStatement = (): Statement =>
  compile(sql`
    select pg_catalog.pg_drop_replication_slot(s.slot_name)
    from pg_catalog.pg_replication_slots s
    where s.slot_name = ${walSlot} and not s.active`)

/** A server, and where its log is at the moment. */
export interface WalFacts {
  readonly systemId: string
  readonly timeline: number
  readonly segmentBytes: number
  readonly flushedLsn: string
  /** Everything that was committed by then is before `flushedLsn`. */
  readonly at: Date
}

export const readWalStatement = (): Statement =>
  compile(sql`
    select s.system_identifier::text as "systemId",
      ('x' || pg_catalog.left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 8))::bit(32)::int as timeline,
      i.bytes_per_wal_segment as "segmentBytes", pg_catalog.pg_current_wal_flush_lsn()::text as "flushedLsn",
      pg_catalog.statement_timestamp() as at
    from pg_catalog.pg_control_system() s, pg_catalog.pg_control_init() i`)
