import type pg from 'pg'
import type { EngineLog } from './options.ts'

/** Why changes cannot be read here, in a sentence that says how to mend it. */
export class ChangesUnavailable extends Error {}

/** The publication that migrations make. */
export const publication = 'clew'

interface SlotRow {
  readonly status: string
}

/**
 * Makes sure that this database's slot is there and whole, holding the lock that lets one process read it; waits
 * for the lock while another has it.
 *
 * @returns the slot's name
 * @throws ChangesUnavailable where the server does not allow logical decoding
 */
export async function takeSlot(client: pg.Client, log: EngineLog): Promise<string> {
  const server = await one<{ level: string; name: string; published: boolean; may: boolean }>(
    client,
    `select
       current_setting('wal_level') as level,
       'clew_' || d.oid as name,
       exists (select from pg_catalog.pg_publication where pubname = '${publication}') as published,
       r.rolsuper or r.rolreplication as may
     from pg_catalog.pg_database d, pg_catalog.pg_roles r
     where d.datname = current_database() and r.rolname = current_user`,
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
  // A waiting process is told when its client is gone, and does not take the lock for nobody.
  await client.query(`set client_connection_check_interval = '2s'`).catch(() => undefined)
  await client.query(`select pg_catalog.pg_advisory_lock(pg_catalog.hashtextextended('clew changes', 0))`)
  const slots = await client.query<SlotRow>(
    `select wal_status as status from pg_catalog.pg_replication_slots where slot_name = '${server.name}'`,
  )
  const [slot] = slots.rows
  if (slot?.status === 'lost') {
    await client.query(`select pg_catalog.pg_drop_replication_slot('${server.name}')`)
    log(
      'postgres: the change stream was away for too long and lost its place; row changes since then are missing from histories',
    )
  }
  if (slot === undefined || slot.status === 'lost')
    await client.query(`select pg_catalog.pg_create_logical_replication_slot('${server.name}', 'pgoutput')`)
  return server.name
}

async function one<Row extends object>(client: pg.Client, text: string): Promise<Row> {
  const { rows } = await client.query<Row>(text)
  const [row] = rows
  if (row === undefined) throw new Error('The server does not know its own database.')
  return row
}
