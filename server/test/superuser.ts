import { join } from 'node:path'
import pg from 'pg'
import { directoryOf } from '../src/instance/directory.ts'

/** Logs in at the embedded server of a data directory as its superuser, by its socket: it knows our operating-system user. */
export async function connectSuperuser(data: string, dbUrl: string | null): Promise<pg.Client> {
  const host = join(directoryOf(data).sockets, 'postgres', 'pg')
  const port = Number(new URL(dbUrl ?? '').port)
  const client = new pg.Client({ host, port, user: 'supabase_admin', database: 'postgres' })
  await client.connect()
  return client
}
