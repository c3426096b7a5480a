import { chown, cp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'
import type { BulkConnection } from '../bulk/bulk-connection.ts'
import type { ChangeSource } from '../changes/change-source.ts'
import type { EngineLog } from '../options.ts'
import { flushCluster } from '../server/cluster.ts'
import { owner } from '../server/roles.ts'
import { socketLogins } from '../server/server.ts'
import { waitForStalePostmaster } from '../server/stale-postmaster.ts'
import { type CarriedServer, carryFailed, startCarried, withConnection } from './carried-server.ts'
import { carryDatabases } from './carry-databases.ts'
import { hasSlot } from './finish-database.ts'

/** The first major version that the catalogues are read of; none before 18 was ever embedded. */
const oldestMajor = 17

export interface CarryClusterOptions {
  /** Of the other version. */
  readonly dataDir: string
  /** The folder of its binaries. */
  readonly binaries: string
  /** The new cluster's; what is there is removed. */
  readonly to: string
  /** A short path below which both servers have their sockets. */
  readonly socketDir: string
  /**
   * Called while the old server runs, before anything is read, where row changes are read from it: those that are not stored yet
   * must be, as the log of the new one begins anew.
   */
  readonly settle: (changes: UnsettledChanges) => Promise<void>
  /** Called with what is being done, which the next line replaces. */
  readonly progress: (line: string) => void
  readonly log: EngineLog
}

/** The row changes of the old cluster. */
export interface UnsettledChanges {
  readonly source: ChangeSource
  /** Runs a statement of Clew's own there, as its superuser. */
  readonly query: BulkConnection['query']
}

/** What was carried over. */
export interface CarriedCluster {
  readonly tables: number
  /** Replication slots of others, which no cluster can take over. */
  readonly leftSlots: readonly string[]
}

/**
 * Makes a cluster of our own major version with everything that one of another has: roles, databases, definitions with their
 * numbers, rows, large objects, sequences. The old cluster is only read. In the end both are compared, and the new one is
 * flushed to disk.
 *
 * @throws POSTGRES_CARRY_FAILED, POSTGRES_OTHER_BINARIES, POSTGRES_DUMP_FAILED, and the POSTGRES_… errors of a start
 */
export async function carryCluster(options: CarryClusterOptions): Promise<CarriedCluster> {
  const { dataDir, binaries, to, socketDir, progress, log } = options
  // A killed process has left it, and perhaps its server.
  await waitForStalePostmaster(to)
  await rm(to, { recursive: true, force: true })
  progress('Starting the earlier PostgreSQL …')
  const from = await startCarried({ dataDir, socketDir: join(socketDir, 'from'), binaries }, log)
  try {
    await requireCarriable(from)
    const source = { login: socketLogins(from.place, owner).admin }
    await withConnection(from.open(owner), async (old) => {
      if (await hasSlot(old)) await options.settle({ source, query: old.query })
    })
    const tables = await carryDatabases(from, {
      start: (keepsNumbers) =>
        startCarried({ dataDir: to, socketDir: join(socketDir, 'to'), binaries: null, keepsNumbers }, log),
      configure: () => copyConfiguration(dataDir, to),
      progress,
    })
    progress('Writing it to disk …')
    await flushCluster(to)
    return { tables, leftSlots: await readOtherSlots(from) }
  } finally {
    await from.stop()
  }
}

/** Refuses what a new cluster cannot take, before anything is made. */
async function requireCarriable(from: CarriedServer): Promise<void> {
  const { rows } = await withConnection(from.open(owner), ({ query }) =>
    query<{ major: number; tablespace: string | null; prepared: string | null; closed: string | null }>(
      compile(sql`
        select current_setting('server_version_num')::int / 10000 as major,
          (select min(spcname::text) from pg_tablespace where oid >= 16384) as tablespace,
          (select min(gid) from pg_prepared_xacts) as prepared,
          (select min(datname::text) from pg_database where not datallowconn and datname <> 'template0') as closed`),
    ),
  )
  const [found] = rows
  if (found === undefined) throw carryFailed('The server does not know its version.')
  if (found.major < oldestMajor) throw carryFailed(`The cluster is of ${found.major}; ${oldestMajor} is the oldest.`)
  if (found.tablespace !== null) throw carryFailed(`The tablespace ${found.tablespace} lies outside of the cluster.`)
  if (found.prepared !== null) throw carryFailed(`The transaction ${found.prepared} is prepared and not committed.`)
  if (found.closed !== null) throw carryFailed(`The database ${found.closed} allows no connections.`)
}

/** An operator may have changed these; who may log in is decided by files beside the sockets. */
async function copyConfiguration(from: string, to: string): Promise<void> {
  const { uid, gid } = await stat(join(to, 'PG_VERSION'))
  const names = (await readdir(from)).filter((name) => /\.conf$/.test(name) && !/^pg_(hba|ident)\.conf$/.test(name))
  for (const name of names) {
    await cp(join(from, name), join(to, name))
    if (process.getuid?.() === 0) await chown(join(to, name), uid, gid)
  }
}

async function readOtherSlots(from: CarriedServer): Promise<readonly string[]> {
  const { rows } = await withConnection(from.open(owner), ({ query }) =>
    query<{ name: string }>(
      compile(sql`
        select slot_name::text as name
        from pg_replication_slots s
        where not exists (
          select from pg_database d where s.database = d.datname and s.slot_name = format('clew_%s', d.oid)::name
        )
        order by 1`),
    ),
  )
  return rows.map(({ name }) => name)
}
