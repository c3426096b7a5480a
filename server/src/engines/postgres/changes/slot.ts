import pg from 'pg'
import type { EngineLog } from '../options.ts'

/** Why changes cannot be read here, in a sentence that says what to do. */
export class ChangesUnavailable extends Error {}

/** The publication that migrations make. */
export const publication = 'clew'

interface Facts {
  readonly level: string
  readonly published: boolean
  readonly may: boolean
}

/**
 * Asks whether this server and this role allow logical decoding, before a connection is made that they would refuse.
 *
 * @throws ChangesUnavailable where they do not
 */
export async function requireDecoding(pool: pg.Pool): Promise<void> {
  const server = await one<Facts>(
    pool,
    `select
       current_setting('wal_level') as level,
       exists (select from pg_catalog.pg_publication where pubname = '${publication}') as published,
       r.rolsuper or r.rolreplication as may
     from pg_catalog.pg_roles r
     where r.rolname = current_user`,
  )
  if (server.level !== 'logical')
    throw new ChangesUnavailable(
      `Row changes are not recorded: the server runs with wal_level=${server.level}. Set wal_level=logical and restart it.`,
    )
  if (!server.may)
    throw new ChangesUnavailable(
      'Row changes are not recorded: the role may not replicate. Give it the attribute REPLICATION.',
    )
  if (!server.published)
    throw new ChangesUnavailable(
      'Row changes are not recorded: the publication could not be made. Start once with a superuser.',
    )
}

interface SlotRow {
  readonly status: string
  readonly confirmed: string | null
  readonly reason: string | null
  readonly keep: string
}

/**
 * Makes sure that this database's slot is there and whole, holding the lock that lets one process read it; waits
 * for the lock while another has it. Where the slot is lost, the gap is written down before a new one is made.
 *
 * @param waiting called where another process has the lock
 * @returns the slot's name
 */
export async function takeSlot(client: pg.Client, log: EngineLog, waiting: () => void): Promise<string> {
  const { name } = await one<{ name: string }>(
    client,
    `select 'clew_' || oid as name from pg_catalog.pg_database where datname = current_database()`,
  )
  const lock = `pg_catalog.hashtextextended('clew changes', 0)`
  const { taken } = await one<{ taken: boolean }>(client, `select pg_catalog.pg_try_advisory_lock(${lock}) as taken`)
  if (!taken) {
    waiting()
    // A waiting process is told when its client is gone, and does not take the lock without one.
    await client.query(`set client_connection_check_interval = '2s'`).catch(() => undefined)
    await client.query(`select pg_catalog.pg_advisory_lock(${lock})`)
  }
  // The reason is a column from version 17 on.
  const slots = await client.query<SlotRow>(
    `select s.wal_status as status, s.confirmed_flush_lsn::text as confirmed,
       to_jsonb(s) ->> 'invalidation_reason' as reason, current_setting('max_slot_wal_keep_size') as keep
     from pg_catalog.pg_replication_slots s
     where s.slot_name = '${name}'`,
  )
  const [slot] = slots.rows
  if (slot !== undefined && slot.status !== 'lost') return name
  const before = await client.query(`select from clew.change_slots where name = '${name}'`)
  if (slot !== undefined) {
    await noteGap(client, slot.confirmed, reasonOf(slot), log)
    await client.query(`select pg_catalog.pg_drop_replication_slot('${name}')`)
  } else if (before.rowCount === 1) {
    await noteGap(client, null, 'The replication slot was dropped.', log)
  }
  const made = await one<{ lsn: string }>(
    client,
    `select lsn::text as lsn from pg_catalog.pg_create_logical_replication_slot('${name}', 'pgoutput')`,
  )
  await client.query(
    `insert into clew.change_slots (name) values ('${name}') on conflict do nothing;
     update clew.change_gaps set to_lsn = '${made.lsn}', ended_at = now() where ended_at is null`,
  )
  return name
}

const reasonOf = ({ reason, keep }: SlotRow): string => {
  if (reason === null || reason === 'wal_removed')
    return `The stream was further behind than the log is kept for it (max_slot_wal_keep_size is ${keep}).`
  return `PostgreSQL gave up the replication slot (${reason}).`
}

/** A process that ended between this and the new slot has left its note: the gap is one. */
async function noteGap(client: pg.Client, from: string | null, reason: string, log: EngineLog): Promise<void> {
  await client.query(
    `insert into clew.change_gaps (from_lsn, reason)
     select ${from === null ? 'null' : pg.escapeLiteral(from)}::pg_lsn, ${pg.escapeLiteral(reason)}
     where not exists (select from clew.change_gaps where ended_at is null)`,
  )
  log(`postgres: row changes are missing from histories. ${reason} Histories say between which changes.`)
}

/** Log that is written and that the slot's reader has not settled, in bytes. */
export async function readBehind(pool: pg.Pool, slot: string): Promise<number> {
  const { rows } = await pool.query<{ behind: string | null }>(
    `select pg_catalog.pg_current_wal_lsn() - confirmed_flush_lsn as behind
     from pg_catalog.pg_replication_slots
     where slot_name = $1`,
    [slot],
  )
  return Number(rows[0]?.behind ?? 0)
}

async function one<Row extends object>(client: pg.Client | pg.Pool, text: string): Promise<Row> {
  const { rows } = await client.query<Row>(text)
  const [row] = rows
  if (row === undefined) throw new Error('The server does not know its own database.')
  return row
}
