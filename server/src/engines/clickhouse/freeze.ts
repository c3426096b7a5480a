import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ClickHouseStatement, compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { constant, identifier, sql } from '../../ground/sql/sql.ts'
import type { ClickHouse } from './clickhouse.ts'

/** Parts of tables as they are at one moment, as hard links that nothing changes. */
export interface FrozenTables {
  readonly version: string
  /** Where the parts are, in the engine's own layout. */
  readonly folder: string
  /** Rows in the parts, by table. */
  readonly rows: Readonly<Record<string, number>>
  /** Removes the links, which hold the space of parts that are merged meanwhile. */
  release(): Promise<void>
}

interface TableRow {
  readonly name: string
  readonly uuid: string
}

/** Links that a process has left that was killed while it copied are removed by the next one. */
const linksPrefix = 'clew_backup_'

/** @param dataDir of the embedded engine */
export async function freezeTables(
  { query, command }: Pick<ClickHouse, 'query' | 'command'>,
  dataDir: string,
): Promise<FrozenTables> {
  const shadow = join(dataDir, 'shadow')
  for (const left of await readdir(shadow).catch(ignoreMissing))
    if (left.startsWith(linksPrefix)) await rm(join(shadow, left), { recursive: true })
  const name = `${linksPrefix}${process.pid}`
  const folder = join(shadow, name)
  const release = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const [engine] = await query<{ version: string }>({ text: 'select version() as version', parameters: {} })
    const rows: Record<string, number> = {}
    for (const table of await query<TableRow>(selectTables())) {
      await command(freezeStatement(table.name, name))
      rows[table.name] = await countRows(join(folder, 'store', table.uuid.slice(0, 3), table.uuid))
    }
    return { version: engine?.version ?? '', folder, rows, release }
  } catch (error) {
    await release()
    throw error
  }
}

const selectTables = (): ClickHouseStatement =>
  compileClickHouse(sql`
    select name, toString(uuid) as uuid
    from system.tables
    where database = currentDatabase() and engine like '%MergeTree'
    order by name`)

/** @param name of our own: the statement takes no parameter in its place */
const freezeStatement = (table: string, name: string): ClickHouseStatement =>
  compileClickHouse(sql`alter table ${identifier(table)} freeze with name ${constant(`'${name}'`)}`)

/** Each part says in a file of its own how many rows it has. */
async function countRows(folder: string): Promise<number> {
  let rows = 0
  for (const part of await readdir(folder).catch(ignoreMissing))
    rows += Number(await readFile(join(folder, part, 'count.txt'), 'utf8'))
  return rows
}

function ignoreMissing(error: NodeJS.ErrnoException): never[] {
  if (error.code === 'ENOENT') return []
  throw error
}
