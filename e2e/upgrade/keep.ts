// Keeps a data directory of this version, for the tests of later ones: rows, events and files in each room, and what the
// product answers about them. By hand, at each release: `npx tsx e2e/upgrade/keep.ts`.
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openCopiedServer } from '../../server/src/engines/postgres/index.ts'
import { compile } from '../../server/src/ground/sql/postgres.ts'
import { sql } from '../../server/src/ground/sql/sql.ts'
import { directoryOf } from '../../server/src/instance/directory.ts'
import { version } from '../../server/src/version.ts'
import { type Product, startProduct, until } from '../support/product.ts'
import { fill } from './fill.ts'
import { archiveOf, type Kept, keptFolder, pack } from './kept.ts'
import { readAnswers } from './read.ts'

const folder = await mkdtemp(join(tmpdir(), 'clew-keep-'))
const data = join(folder, 'data')
try {
  const project = fileURLToPath(new URL('./project/', import.meta.url))
  const product = await startProduct({ dataDir: data, project })
  const sessionId = await fill(product)
  const kept: Kept = { version, sessionId, answers: await readAnswers(product, sessionId) }
  const segment = await endSegment(product)
  await product.stop()
  const wal = (await readdir(join(data, 'postgres', 'pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name))
  // Segments that are made in advance hold log of before.
  const ahead = wal.filter((name) => name > segment).map((name) => `postgres/pg_wal/${name}`)
  const left = ['deno', 'postgres/server.log', 'postgres/postmaster.opts', ...ahead]
  await pack(data, archiveOf(version), left)
  await writeFile(join(keptFolder, `${version}.json`), `${JSON.stringify(kept, null, 2)}\n`)
  const { size } = await stat(archiveOf(version))
  process.stderr.write(`${archiveOf(version)}: ${(size / 1024 ** 2).toFixed(1)} MiB\n`)
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Has the log go on in a new segment, which is nearly empty, and waits until no slot needs the ones before. @returns its name */
async function endSegment(product: Product): Promise<string> {
  const server = await openCopiedServer(join(directoryOf(product.dataDir).sockets, 'postgres'))
  try {
    await server.query(compile(sql`select pg_catalog.pg_switch_wal()`))
    const current = compile(sql`
      select pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()) as segment,
        coalesce((select min(pg_catalog.pg_walfile_name(restart_lsn)) from pg_catalog.pg_replication_slots), '') as needed`)
    const look = async () => (await server.query<{ segment: string; needed: string }>(current))[0]
    await until(async () => {
      // A transaction moves the slot on.
      await server.query(compile(sql`select pg_catalog.pg_logical_emit_message(true, 'kept', '')`))
      const found = await look()
      return found !== undefined && found.needed === found.segment
    }, 120_000)
    return (await look())?.segment ?? ''
  } finally {
    await server.close()
  }
}
