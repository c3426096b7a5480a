import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { messageOf } from '../../../ground/errors/message.ts'
import { withClient } from '../connection/connections.ts'
import { postgresError } from '../errors.ts'

/** One `NNNN_what.sql` of a room. */
interface Migration {
  readonly version: string
  readonly name: string
  readonly text: string
  readonly hash: string
}

type Refused = (migration: string, error: pg.DatabaseError) => void

/** Any number that other programs hardly use: one starter migrates at a time. */
const lockKey = 7_236_519_001

/**
 * Applies a room's migrations that were not applied yet, in order, each in a transaction together with its record.
 *
 * @returns how many were applied
 * @param refused called instead of throwing where the server does not allow one; it is tried again at the next start
 * @throws POSTGRES_MIGRATION_CHANGED, POSTGRES_MIGRATION_FAILED
 */
export async function migrate(
  pool: pg.Pool,
  room: string,
  folder: URL,
  refused: Refused | null = null,
): Promise<number> {
  const migrations = await readMigrations(folder)
  return withClient(pool, async (client) => {
    await client.query(history)
    const { rows } = await client.query<{ version: string; hash: string }>(
      'select version, hash from clew.migrations where room = $1',
      [room],
    )
    const applied = new Map(rows.map((row) => [row.version, row.hash]))
    let count = 0
    let missing = false
    // After one that was refused, others fail for want of it.
    const mayRefuse = (error: pg.DatabaseError) => refused !== null && (missing || error.code === '42501')
    for (const migration of migrations) {
      const hash = applied.get(migration.version)
      if (hash === migration.hash) continue
      const label = `${room}/${migration.version}_${migration.name}`
      if (hash !== undefined) throw postgresError('POSTGRES_MIGRATION_CHANGED', { details: label })
      const rejection = await apply(client, room, migration, label, mayRefuse)
      if (rejection === null) count += 1
      else {
        missing = true
        refused?.(label, rejection)
      }
    }
    return count
  })
}

// Each transaction takes the lock for itself: behind a pooler the next one may have another connection.
const lock = `select pg_catalog.pg_advisory_xact_lock(${lockKey});`

const history = `
begin;
${lock}
create schema if not exists clew;
create table if not exists clew.migrations (
  room text not null,
  version text not null,
  name text not null,
  hash text not null,
  applied_at timestamptz not null default now(),
  primary key (room, version)
);
commit;`

async function apply(
  client: pg.ClientBase,
  room: string,
  migration: Migration,
  label: string,
  mayRefuse: (error: pg.DatabaseError) => boolean,
): Promise<pg.DatabaseError | null> {
  try {
    await client.query('begin')
    await client.query(lock)
    const done = await client.query('select from clew.migrations where room = $1 and version = $2', [
      room,
      migration.version,
    ])
    // Another process, that held the lock until now, may have been here.
    if (done.rowCount === 0) await client.query(migration.text)
    await client.query(
      'insert into clew.migrations (room, version, name, hash) values ($1, $2, $3, $4) on conflict do nothing',
      [room, migration.version, migration.name, migration.hash],
    )
    await client.query('commit')
    return null
  } catch (cause) {
    await client.query('rollback')
    if (cause instanceof pg.DatabaseError && mayRefuse(cause)) return cause
    const reason = messageOf(cause)
    throw postgresError('POSTGRES_MIGRATION_FAILED', { message: `Migration ${label} failed: ${reason}`, cause })
  }
}

async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort()
  const twice = names.find((name, index) => name.slice(0, 4) === names[index - 1]?.slice(0, 4))
  // The second of one number would pass for applied.
  if (twice !== undefined) throw new Error(`Two migrations of ${folder.pathname} have the number of ${twice}.`)
  return Promise.all(
    names.map(async (file) => {
      const text = await readFile(new URL(file, folder), 'utf8')
      const hash = createHash('sha256').update(text).digest('hex')
      return { version: file.slice(0, 4), name: file.slice(5, -4), text, hash }
    }),
  )
}
