import { readdir } from 'node:fs/promises'
import type pg from 'pg'
import type { Statement } from '../../../ground/sql/postgres.ts'
import { openReplicationClient } from '../changes/replication.ts'
import { openClient } from '../connection/connections.ts'
import { postgresError } from '../errors.ts'
import { placeOf } from '../server/embedded.ts'
import { owner } from '../server/roles.ts'
import { socketLogins } from '../server/server.ts'
import { takePriority } from './backend-priority.ts'
import { type BaseBackup, takeBaseBackup } from './base-backup.ts'
import type { TarEntry } from './tar.ts'
import { receiveWal, type WalStart, type WalStream } from './wal-stream.ts'

/** A running server of our own, for a process that copies it. */
export interface CopiedServer {
  readonly facts: ServerFacts
  /** Runs a statement of Clew's own, as its administrator. */
  query<Row extends object>(statement: Statement): Promise<readonly Row[]>
  /** @throws POSTGRES_COPY_FAILED */
  takeBaseBackup(label: string, take: (entry: TarEntry) => Promise<void>): Promise<BaseBackup>
  /**
   * Receives the write-ahead log as it is written.
   *
   * @throws POSTGRES_COPY_FAILED where it cannot begin
   */
  receiveWal(start: WalStart): WalStream
  close(): Promise<void>
}

/** What must be known of a server for its files to be used. */
export interface ServerFacts {
  /** As `18.4`. */
  readonly version: string
  /** The number that a cluster has from its making on. */
  readonly systemId: string
}

/**
 * Reaches a running server of our own on its socket; only its operating-system user may.
 *
 * @param socketDir as the server was started with
 * @throws POSTGRES_UNREACHABLE where none listens there
 */
export async function openCopiedServer(socketDir: string): Promise<CopiedServer> {
  const place = placeOf({ socketDir, port: null })
  const login = socketLogins({ ...place, port: await findPort(place.socketDir) }, owner).admin
  const client = await openClient(login, 'clew backup')
  // Fingerprints of tables are made here: a lock of the application's is not waited for long.
  await client.query(`set lock_timeout = '5s'`)
  await takePriority(client)
  const query = async <Row extends object>({ text, values }: Statement): Promise<readonly Row[]> =>
    (await client.query<Row>(text, [...values])).rows
  return {
    facts: await readFacts(client),
    query,
    async takeBaseBackup(label, take) {
      const replication = await openReplicationClient(login)
      try {
        await takePriority(replication)
        return await takeBaseBackup(replication, label, take)
      } finally {
        await replication.end().catch(() => undefined)
      }
    },
    receiveWal: (start) => receiveWal(() => openReplicationClient(login), start),
    close: () => client.end(),
  }
}

/** The port is part of the socket's name, also of a server without TCP. */
async function findPort(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const [port] = names.flatMap((name) => /^\.s\.PGSQL\.(\d+)$/.exec(name)?.[1] ?? [])
  if (port === undefined)
    throw postgresError('POSTGRES_UNREACHABLE', { message: `No PostgreSQL listens in ${folder}.` })
  return Number(port)
}

async function readFacts(client: pg.Client): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(
    `select current_setting('server_version') as version, system_identifier::text as "systemId"
     from pg_catalog.pg_control_system()`,
  )
  const [facts] = rows
  if (facts === undefined) throw new Error('The server does not know its own cluster.')
  return facts
}
