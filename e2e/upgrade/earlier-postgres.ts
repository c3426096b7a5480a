import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startCarried, withConnection } from '../../server/src/engines/postgres/carry/carried-server.ts'
import { carryDatabases } from '../../server/src/engines/postgres/carry/carry-databases.ts'
import { earlierBinaries, makeEarlierCluster } from '../../server/test/earlier-postgres.ts'

const log = (line: string): void => console.warn(line)

/** What the major version before ours does not know. */
const unknownThere = [
  'alter extension pgcrypto drop function extensions.fips_mode()',
  'drop function extensions.fips_mode()',
  `update pg_catalog.pg_extension set extversion = '1.3' where extname = 'pgcrypto'`,
  'drop extension pg_stat_statements',
  'alter publication clew set (publish_generated_columns = none)',
  'alter publication supabase_realtime set (publish_generated_columns = none)',
]

/**
 * Makes the cluster of a kept data directory one of the major version before ours, as an earlier version of the product would have
 * it: tables, rows, roles, and the slot of the row changes.
 *
 * @param sockets a short path
 */
export async function makeEarlier(data: string, sockets: string): Promise<void> {
  const [cluster, earlier] = [join(data, 'postgres'), join(data, 'postgres.earlier')]
  await makeEarlierCluster(earlier)
  const from = await startCarried({ dataDir: cluster, socketDir: join(sockets, 'from'), binaries: null }, log)
  try {
    await withConnection(from.open('postgres'), async ({ query }) => {
      for (const text of unknownThere) await query({ text, values: [] })
    })
    await carryDatabases(from, {
      start: (keepsNumbers) =>
        startCarried(
          { dataDir: earlier, socketDir: join(sockets, 'to'), binaries: earlierBinaries(), keepsNumbers },
          log,
        ),
      configure: async () => undefined,
      progress: () => undefined,
    })
  } finally {
    await from.stop()
  }
  await rm(cluster, { recursive: true })
  await rename(earlier, cluster)
  await inEarlier(data, sockets, 'create extension pg_stat_statements with schema extensions', 'supabase_admin')
}

/** Runs a statement in the database of a cluster of the major version before ours. */
export async function inEarlier(data: string, sockets: string, text: string, role = 'postgres'): Promise<void> {
  const place = { dataDir: join(data, 'postgres'), socketDir: join(sockets, 'in'), binaries: earlierBinaries() }
  const server = await startCarried(place, log)
  try {
    await withConnection(server.openAs(role, 'postgres'), ({ query }) => query({ text, values: [] }))
  } finally {
    await server.stop()
  }
}
