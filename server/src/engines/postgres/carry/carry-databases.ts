import { compile, quoteIdentifier } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'
import { owner } from '../server/roles.ts'
import { defineGuarded, readDefiners } from './application-code.ts'
import { type CarriedServer, carryFailed, withConnection } from './carried-server.ts'
import { compareFacts, readClusterFacts, readDatabaseFacts } from './catalogue-facts.ts'
import { type Definitions, readDefinitions, runAll } from './definitions.ts'
import { finishDatabase } from './finish-database.ts'
import { carryRows } from './rows.ts'
import { readSharedObjects, renderLogins, renderRoles, type SharedObjects, storeSettings } from './shared-objects.ts'

interface DatabaseRow {
  readonly name: string
  readonly connectionLimit: number
  readonly sizeBytes: string
}

const mib = 1024 ** 2

/** The cluster that is made, and what is said of it. */
export interface CarryDatabasesDeps {
  /** Starts the server of the new cluster, which is stopped again before the next call. */
  readonly start: (keepsNumbers: boolean) => Promise<CarriedServer>
  /** Called before the last start. */
  readonly configure: () => Promise<void>
  readonly progress: (line: string) => void
}

/**
 * Makes everything that the databases of a server are in an empty cluster, and compares both.
 *
 * @returns how many tables there were
 * @throws POSTGRES_CARRY_FAILED, POSTGRES_DUMP_FAILED
 */
export async function carryDatabases(
  from: CarriedServer,
  { start, configure, progress }: CarryDatabasesDeps,
): Promise<number> {
  const stage = async <T>(keepsNumbers: boolean, body: (server: CarriedServer) => Promise<T>): Promise<T> => {
    const server = await start(keepsNumbers)
    try {
      return await body(server)
    } finally {
      await server.stop()
    }
  }
  const source = await readSource(from, progress)
  await stage(true, (to) => defineBefore(to, source, progress))
  const tables = await stage(false, (to) => carryAllRows(from, to, source, progress))
  await stage(true, (to) => defineAfter(to, source, progress))
  await configure()
  await stage(false, (to) => finish(from, to, source, progress))
  return tables
}

/** A database of the old cluster. */
interface SourceDatabase extends DatabaseRow {
  readonly definitions: Definitions
  /** Functions that run as their owner. */
  readonly definers: readonly string[]
}

/** What is read of the old cluster before anything is made. */
interface Source {
  readonly shared: SharedObjects
  readonly databases: readonly SourceDatabase[]
}

const madeByInitdb = ['postgres', 'template1']

async function readSource(from: CarriedServer, progress: (line: string) => void): Promise<Source> {
  const { shared, rows } = await withConnection(from.open(owner), async (old) => ({
    shared: await readSharedObjects(old),
    rows: (await old.query<DatabaseRow>(selectDatabases)).rows,
  }))
  const databases: SourceDatabase[] = []
  for (const row of rows) {
    progress(`Reading the definitions of ${row.name} …`)
    const definitions = await readDefinitions(from.addressOf(row.name), madeByInitdb.includes(row.name))
    databases.push({ ...row, definitions, definers: await withConnection(from.open(row.name), readDefiners) })
  }
  return { shared, databases }
}

const selectDatabases = compile(sql`
  select datname as name, datconnlimit as "connectionLimit", pg_database_size(oid) as "sizeBytes"
  from pg_database
  where datname <> 'template0'
  order by oid`)

/** Roles, databases, types, functions and tables, which no row is in yet. */
async function defineBefore(
  to: CarriedServer,
  { shared, databases }: Source,
  progress: (line: string) => void,
): Promise<void> {
  await withConnection(to.open('template1'), async (own) => {
    await runAll(own, renderRoles(shared))
    await storeSettings(own, shared)
  })
  for (const { name, definitions, definers } of databases) {
    progress(`Making the tables of ${name} …`)
    const other = name === 'template1' ? owner : 'template1'
    await withConnection(to.open(other), (own) => runAll(own, definitions.making))
    await withConnection(to.open(name), (own) => defineGuarded(own, definitions.beforeRows, definers))
  }
}

async function carryAllRows(
  from: CarriedServer,
  to: CarriedServer,
  { databases }: Source,
  progress: (line: string) => void,
): Promise<number> {
  const allBytes = databases.reduce((sum, { sizeBytes }) => sum + Number(sizeBytes), 0)
  let bytes = 0
  let tables = 0
  for (const { name, definitions } of databases) {
    await withConnection(to.open(name), ({ query }) =>
      query(compile(sql`update pg_database set datconnlimit = -1 where datname = ${name}`)),
    )
    tables += await carryRows({ from, to, database: name, checks: definitions.checks }, (more) => {
      bytes += more
      progress(`Carrying rows over: ${(bytes / mib).toFixed(1)} of about ${(allBytes / mib).toFixed(1)} MiB`)
    })
  }
  return tables
}

async function defineAfter(to: CarriedServer, { databases }: Source, progress: (line: string) => void): Promise<void> {
  for (const { name, definitions, definers } of databases) {
    progress(`Making the indexes of ${name} …`)
    await withConnection(to.open(name), (own) => defineGuarded(own, definitions.afterRows, definers))
  }
}

/** What is made of the rows, then the comparison of both clusters. */
async function finish(
  from: CarriedServer,
  to: CarriedServer,
  { shared, databases }: Source,
  progress: (line: string) => void,
): Promise<void> {
  for (const { name } of databases) {
    progress(`Looking at the rows of ${name} …`)
    await finishDatabase(from, to, name)
  }
  await withConnection(to.open(owner), async (own) => {
    await runAll(own, renderLogins(shared))
    for (const { name, connectionLimit } of databases)
      await own.query({
        text: `alter database ${quoteIdentifier(name)} with connection limit ${connectionLimit}`,
        values: [],
      })
  })
  progress('Comparing both databases …')
  await compareIn(from, to, owner, readClusterFacts)
  for (const { name } of databases) await compareIn(from, to, name, readDatabaseFacts)
}

async function compareIn(
  from: CarriedServer,
  to: CarriedServer,
  database: string,
  read: typeof readClusterFacts,
): Promise<void> {
  const before = await withConnection(from.open(database), read)
  const after = await withConnection(to.open(database), read)
  const difference = compareFacts(before, after)
  if (difference !== null) throw carryFailed(`In ${database}: ${difference}`)
}
