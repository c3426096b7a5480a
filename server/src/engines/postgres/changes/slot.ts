import pg from 'pg'
import type { BulkConnection } from '../bulk/bulk-connection.ts'
import type { EngineLog } from '../options.ts'
import { formatLsn, parseLsn, placeOf } from './lsn.ts'

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

/** A server and the history of its log: a standby that is promoted has its primary's identifier and another timeline. */
interface Server {
  readonly systemId: string
  readonly timeline: number
}

/** What is known of the slot that was made last. Before version 19 of the schema, the server was not written down. */
interface MadeSlot {
  readonly system_id: string | null
  readonly timeline: number | null
  readonly generation: number
}

/** A slot that is held, and how many servers were read before this one. */
export interface TakenSlot {
  readonly name: string
  readonly generation: number
}

/** The dependencies of `takeSlot`. */
export interface TakeSlotDeps {
  readonly log: EngineLog
  /** Called where another process has the lock. */
  readonly waiting: () => void
  /** Up to where the stream was settled by this process (`placeOf`); null where it has read nothing yet. */
  readonly settledUntil: bigint | null
}

/**
 * Makes sure that this database's slot is there and whole, holding the lock that lets one process read it; waits
 * for the lock while another has it. Where the slot is lost, the gap is written down before a new one is made: a
 * standby that was promoted has none.
 */
export async function takeSlot(client: pg.Client, { log, waiting, settledUntil }: TakeSlotDeps): Promise<TakenSlot> {
  const { name } = await one<{ name: string }>(
    client,
    `select 'clew_' || oid as name from pg_catalog.pg_database where datname = current_database()`,
  )
  await takeLock(client, waiting)
  const server = await identify(client)
  // The reason is a column from version 17 on.
  const slots = await client.query<SlotRow>(
    `select s.wal_status as status, s.confirmed_flush_lsn::text as confirmed,
       to_jsonb(s) ->> 'invalidation_reason' as reason, current_setting('max_slot_wal_keep_size') as keep
     from pg_catalog.pg_replication_slots s
     where s.slot_name = '${name}'`,
  )
  const [slot] = slots.rows
  const made = await client.query<MadeSlot>(
    `select system_id, timeline, generation from clew.change_slots where name = '${name}'`,
  )
  const [before] = made.rows
  if (slot !== undefined && slot.status !== 'lost') {
    const generation = before?.generation ?? 0
    if (before?.system_id !== server.systemId || before.timeline !== server.timeline)
      await client.query(noteSlot(name, server, generation))
    return { name, generation }
  }
  if (slot !== undefined) {
    const from = slot.confirmed === null ? null : placeOf(before?.generation ?? 0, parseLsn(slot.confirmed))
    await noteGap(client, from, reasonOf(slot), log)
    await client.query(`select pg_catalog.pg_drop_replication_slot('${name}')`)
  } else if (before !== undefined) {
    await noteGap(client, settledUntil, reasonWithoutSlot(before, server), log)
  }
  const generation = before === undefined ? 0 : before.generation + (isAnother(before, server) ? 1 : 0)
  const { lsn } = await one<{ lsn: string }>(
    client,
    `select lsn::text as lsn from pg_catalog.pg_create_logical_replication_slot('${name}', 'pgoutput')`,
  )
  await client.query(
    `${noteSlot(name, server, generation)};
     update clew.change_gaps set to_lsn = '${formatLsn(placeOf(generation, parseLsn(lsn)))}', ended_at = now()
     where ended_at is null`,
  )
  return { name, generation }
}

async function takeLock(client: pg.Client, waiting: () => void): Promise<void> {
  const lock = `pg_catalog.hashtextextended('clew changes', 0)`
  const { taken } = await one<{ taken: boolean }>(client, `select pg_catalog.pg_try_advisory_lock(${lock}) as taken`)
  if (taken) return
  waiting()
  // A waiting process is told when its client is gone, and does not take the lock without one.
  await client.query(`set client_connection_check_interval = '2s'`).catch(() => undefined)
  await client.query(`select pg_catalog.pg_advisory_lock(${lock})`)
}

/** A command of the replication protocol: the functions that say it are a superuser's on some servers. */
async function identify(client: pg.Client): Promise<Server> {
  const { systemid, timeline } = await one<{ systemid: string; timeline: number | string }>(client, 'IDENTIFY_SYSTEM')
  return { systemId: systemid, timeline: Number(timeline) }
}

const noteSlot = (name: string, { systemId, timeline }: Server, generation: number): string =>
  `insert into clew.change_slots (name, system_id, timeline, generation)
   values ('${name}', ${pg.escapeLiteral(systemId)}, ${timeline}, ${generation})
   on conflict (name) do update
   set system_id = excluded.system_id, timeline = excluded.timeline, generation = excluded.generation`

const isAnother = (before: MadeSlot, { systemId, timeline }: Server): boolean =>
  before.system_id !== null && (before.system_id !== systemId || before.timeline !== timeline)

function reasonWithoutSlot(before: MadeSlot, server: Server): string {
  if (!isAnother(before, server)) return 'The replication slot was dropped.'
  const whatIsNew =
    before.system_id === server.systemId
      ? `timeline ${server.timeline} after timeline ${before.timeline}`
      : 'its system identifier is another'
  return `Another server took the place of the one that was read (${whatIsNew}), and it had no replication slot. What the former server committed last may be in histories alone.`
}

const reasonOf = ({ reason, keep }: SlotRow): string => {
  if (reason === null || reason === 'wal_removed')
    return `The stream was further behind than the log is kept for it (max_slot_wal_keep_size is ${keep}).`
  return `PostgreSQL gave up the replication slot (${reason}).`
}

/** A process that ended between this and the new slot has left its note: the gap is one. */
async function noteGap(client: pg.Client, from: bigint | null, reason: string, log: EngineLog): Promise<void> {
  await client.query(
    `insert into clew.change_gaps (from_lsn, reason)
     select ${from === null ? 'null' : `'${formatLsn(from)}'`}::pg_lsn, ${pg.escapeLiteral(reason)}
     where not exists (select from clew.change_gaps where ended_at is null)`,
  )
  log(`postgres: row changes are missing from histories. ${reason} Histories say between which changes.`)
}

/**
 * Makes the slot of a database that was carried over to another cluster, where all row changes of the former one are stored: none
 * is missing, and those that follow are of a further generation.
 */
export async function beginGeneration(connection: Pick<BulkConnection, 'query'>): Promise<void> {
  await connection.query({
    text: `
      update clew.change_slots
      set system_id = (select system_identifier::text from pg_catalog.pg_control_system()),
        timeline = (select timeline_id from pg_catalog.pg_control_checkpoint()),
        generation = generation + 1
      where name = (select 'clew_' || oid from pg_catalog.pg_database where datname = current_database())`,
    values: [],
  })
  await connection.query({
    text: `
      select pg_catalog.pg_create_logical_replication_slot(('clew_' || oid)::name, 'pgoutput')
      from pg_catalog.pg_database
      where datname = current_database()`,
    values: [],
  })
}

/** What a server says of a slot. */
export interface SlotProgress {
  /** Log that is written and that the slot's reader has not settled. */
  readonly behindBytes: number
  /** The process of the connection that reads the slot; null where none does, or where there is no such slot. */
  readonly readerPid: number | null
}

export async function readSlotProgress(pool: pg.Pool, slot: string): Promise<SlotProgress> {
  const { rows } = await pool.query<{ behind: string | null; pid: number | null }>(
    `select pg_catalog.pg_current_wal_lsn() - confirmed_flush_lsn as behind, active_pid as pid
     from pg_catalog.pg_replication_slots
     where slot_name = $1`,
    [slot],
  )
  return { behindBytes: Number(rows[0]?.behind ?? 0), readerPid: rows[0]?.pid ?? null }
}

async function one<Row extends object>(client: pg.Client | pg.Pool, text: string): Promise<Row> {
  const { rows } = await client.query<Row>(text)
  const [row] = rows
  if (row === undefined) throw new Error('The server does not know its own database.')
  return row
}
