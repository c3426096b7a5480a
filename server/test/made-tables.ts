import type { ClickHouse } from '../src/engines/clickhouse/index.ts'
import { compileClickHouse } from '../src/ground/sql/clickhouse.ts'
import { identifier, sql } from '../src/ground/sql/sql.ts'

interface MadeTable {
  readonly name: string
  readonly statement: string
}

/** What a room's migrations came to in a database without a row: its statements, and the files that were applied. */
interface Made {
  readonly folder: string
  readonly tables: readonly MadeTable[]
  readonly files: readonly { readonly room: string; readonly name: string }[]
}

/** ClickHouse for one test. */
export interface TestTables {
  /** Has no table until the test makes one. */
  readonly clickhouse: ClickHouse
  /** Empties the database after the test. */
  end(): Promise<void>
}

/** The tables that the tests of a process make, one test after another. */
export interface MadeTables {
  begin(): TestTables
  /** Drops every table. */
  drop(): Promise<void>
}

/**
 * Keeps the tables of a test, emptied, for the next one that migrates the same rooms in the same order; others find the
 * database empty at their first statement. Tables that were made before are made by their last statements: sixteen for all
 * rooms, where their files have some two hundred. A database with rows, and a folder for the second time, are migrated.
 */
export function keepMadeTables(engine: ClickHouse): MadeTables {
  /** By the state of the database before and the folder. */
  const made = new Map<string, Made>()
  /** What stands in the database between two tests: its tables are empty. */
  let standing: readonly Made[] = []

  async function drop(): Promise<void> {
    standing = []
    await dropTables(engine, await namesOfTables(engine))
  }

  function begin(): TestTables {
    /** What the test has migrated, in this order; null once that cannot be said. */
    let migrated: Made[] | null = []
    let settling: Promise<void> | undefined
    const settle = (): Promise<void> => {
      settling ??= dropRest(standing.slice(migrated?.length))
      return settling
    }
    async function dropRest(rest: readonly Made[]): Promise<void> {
      standing = standing.slice(0, standing.length - rest.length)
      // Those that were made last may read the others.
      await dropTables(engine, rest.flatMap(({ tables }) => tables.map(({ name }) => name)).reverse())
    }

    async function migrate(room: string, folder: URL, tell?: (line: string) => void): Promise<void> {
      const kept = settling === undefined ? standing[migrated?.length ?? 0] : undefined
      if (kept?.folder === folder.href) {
        migrated?.push(kept)
        return engine.insert('migrations', kept.files)
      }
      await settle()
      const isFirst = migrated?.every((each) => each.folder !== folder.href) === true
      const before = isFirst ? await findEmptyTables(engine) : null
      const key = JSON.stringify([room, folder.href, before])
      const known = made.get(key)
      if (known !== undefined) await make(engine, known)
      else await engine.migrate(room, folder, tell)
      const now = known ?? (await lookAtMade(engine, room, folder, before))
      if (now === null) migrated = null
      else {
        made.set(key, now)
        migrated?.push(now)
      }
    }

    return {
      clickhouse: { ...settledFirst(engine, settle), migrate },
      async end() {
        const known = migrated
        if (settling === undefined && known?.length === 0) return
        const expected = known === null ? null : settling === undefined ? standing : known
        if (expected === null || !(await emptyTables(engine, expected))) return drop()
        standing = expected
      },
    }
  }

  return { begin, drop }
}

/** The engine, whose statements wait for something. */
function settledFirst(engine: ClickHouse, settle: () => Promise<void>): ClickHouse {
  const after =
    <Asked extends readonly unknown[], Answer>(ask: (...asked: Asked) => Promise<Answer>) =>
    async (...asked: Asked): Promise<Answer> => {
      await settle()
      return ask(...asked)
    }
  return {
    ...engine,
    async query<Row>(...asked: Parameters<ClickHouse['query']>) {
      await settle()
      return engine.query<Row>(...asked)
    },
    async *streamTexts(...asked) {
      await settle()
      yield* engine.streamTexts(...asked)
    },
    readTable: after(engine.readTable),
    streamBytes: after(engine.streamBytes),
    insertLines: after(engine.insertLines),
    insert: after(engine.insert),
    command: after(engine.command),
  }
}

/** What a room's migrations have just made; null where they changed a table of another room, which is then done each time. */
async function lookAtMade(
  engine: ClickHouse,
  room: string,
  folder: URL,
  before: readonly MadeTable[] | null,
): Promise<Made | null> {
  const after = before === null ? null : await findEmptyTables(engine)
  if (before === null || after === null) return null
  const names = new Map(before.map(({ name, statement }) => [name, statement]))
  if (after.filter(({ name, statement }) => names.get(name) === statement).length < before.length) return null
  return {
    folder: folder.href,
    tables: after.filter(({ name }) => !names.has(name)),
    files: await engine.query({
      text: 'select room, name from migrations where room = {room:String}',
      parameters: { room },
    }),
  }
}

interface FoundTable extends MadeTable {
  readonly rows: string
}

/** The tables in the order in which they were made, views last. */
const findTables = ({ query }: ClickHouse): Promise<readonly FoundTable[]> =>
  query<FoundTable>({
    text: `
      select name, create_table_query as statement, toString(ifNull(total_rows, 0)) as rows
      from system.tables
      where database = currentDatabase()
      order by engine like '%View', metadata_modification_time, name`,
    parameters: {},
  })

/** The tables as `findTables` has them; null where one but that of migrations has rows. */
async function findEmptyTables(engine: ClickHouse): Promise<readonly MadeTable[] | null> {
  const found = await findTables(engine)
  const hasRows = found.some(({ name, rows }) => name !== 'migrations' && rows !== '0')
  return hasRows ? null : found.map(({ name, statement }) => ({ name, statement }))
}

async function make({ command, insert }: ClickHouse, { tables, files }: Made): Promise<void> {
  for (const { statement } of tables) await command({ text: statement, parameters: {} })
  await insert('migrations', files)
}

/** Empties the tables where they are those that are expected. @returns whether they are */
async function emptyTables(engine: ClickHouse, expected: readonly Made[]): Promise<boolean> {
  const statements = new Map(expected.flatMap(({ tables }) => tables.map(({ name, statement }) => [name, statement])))
  const found = await findTables(engine)
  const isExpected = ({ name, statement }: MadeTable): boolean => statements.get(name) === statement
  if (found.length !== statements.size || !found.every(isExpected)) return false
  for (const { name, rows } of found)
    if (rows !== '0') await engine.command(compileClickHouse(sql`truncate table ${identifier(name)}`))
  return true
}

async function namesOfTables({ query }: ClickHouse): Promise<readonly string[]> {
  const text = 'select name from system.tables where database = currentDatabase()'
  return (await query<{ name: string }>({ text, parameters: {} })).map(({ name }) => name)
}

/** Table by table: with the database gone, no statement would reach the engine to create it again. */
async function dropTables({ command }: ClickHouse, names: readonly string[]): Promise<void> {
  for (const name of names) await command(compileClickHouse(sql`drop table ${identifier(name)} sync`))
}
