import { readdir, readFile } from 'node:fs/promises'
import { compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { sql } from '../../../ground/sql/sql.ts'
import type { ClickHouse } from '../clickhouse.ts'
import { settled } from '../rewrite.ts'
import { countSteps, fillTable, type Stretch } from './fill.ts'

/** What applying migrations needs of the engine. */
export type MigrationTarget = Pick<ClickHouse, 'query' | 'insert' | 'command'>

const table = sql`
  create table if not exists migrations (
    room String,
    name String,
    applied_at DateTime64(3, 'UTC') default now64(3)
  )
  engine = MergeTree
  order by (room, name)`

/**
 * Statements of one file: separated by `;` at a line's end. Comments may stand between them.
 *
 * @see ClickHouse.migrate
 */
export function splitStatements(text: string): readonly string[] {
  return text
    .split(/;[ \t]*\r?$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replace(/--[^\n]*/g, '').trim() !== '')
}

/** How a file's statement comes along, from 0 to 1. */
type Progress = (part: number) => void

/** A statement of our own: has what a view makes of rows that were there before it, or were stored while a file was applied. */
const fills = /^\s*fill (\w+) from (\w+) by (.+?)(?: during (\d{4}_\w+))?$/im
/** A statement that names `{step:UInt32}` of `{steps:UInt32}` is cut into several: each stays within the limit of time. */
const namesStep = /\{step:UInt32\}/
const source = /\bfrom (\w+)/i
/** A statement that is to be over before the next begins. */
const waits = /\bsettings mutations_sync = 1\s*$/
const altered = /^\s*alter table (\w+)/im
/** A statement that has the parts of a table written anew. */
const rewrites = /^\s*alter table (\w+) materialize /im

/**
 * Runs a statement; one that writes the parts of a table anew is waited for however long that takes, or begun once those before
 * are over: what ClickHouse finds waiting it writes in one pass, and six projections of ten million events at once met its memory.
 */
async function runStatement(
  target: MigrationTarget,
  text: string,
  { room, isNew, progress }: { readonly room: string; readonly isNew: boolean; readonly progress: Progress },
): Promise<void> {
  const over = (table: string) =>
    settled(target.query, table, { signal: neverAborted, progress: async (part) => progress(part) })
  const rewritten = isNew ? undefined : rewrites.exec(text)?.[1]
  if (rewritten !== undefined) await over(rewritten)
  const [, filled, view, by, file] = fills.exec(text) ?? []
  const table = waits.test(text) ? altered.exec(text)?.[1] : undefined
  if (filled !== undefined && view !== undefined && by !== undefined) {
    const during = file === undefined ? {} : { during: await applicationOf(target, room, file) }
    if (!isNew) await fillTable(target, { table: filled, view, by, ...during }, progress)
  } else if (table !== undefined) {
    await target.command({ text: text.replace(waits, 'settings mutations_sync = 0'), parameters: {} })
    await over(table)
  } else if (namesStep.test(text)) {
    const steps = await stepsOf(target, text)
    for (let step = 0; step < steps; step += 1) {
      await target.command({ text, parameters: { step, steps } })
      progress((step + 1) / steps)
    }
  } else await target.command({ text, parameters: {} })
}

/** An insert that began before a file may have stored rows in the tables of before: it is over by then. */
const longestInsertMs = 120_000

/** When a file was applied: from the file before it on, and until now where it is the one that is being applied. */
async function applicationOf({ query }: MigrationTarget, room: string, file: string): Promise<Stretch> {
  const name = `${file}.sql`
  const [row] = await query<{ from: string; until: string }>(
    compileClickHouse(sql`
      select toUnixTimestamp64Milli(maxIf(applied_at, name < ${name})) as from,
        toUnixTimestamp64Milli(maxIf(applied_at, name = ${name})) as until
      from migrations
      where room = ${room}`),
  )
  const untilMs = Number(row?.until ?? 0)
  return { fromMs: Number(row?.from ?? 0) - longestInsertMs, untilMs: untilMs === 0 ? null : untilMs }
}

async function stepsOf({ query }: MigrationTarget, text: string): Promise<number> {
  const table = source.exec(text)?.[1]
  if (table === undefined) throw new Error(`A statement in steps reads no table: ${text}`)
  return countSteps(query, table)
}

const neverAborted = new AbortController().signal

/**
 * Applies a room's numbered files that were not applied yet, in the order of their names. ClickHouse has no
 * transactions for this: a file that was interrupted is run again from its start, so each statement must be safe to
 * run twice.
 *
 * @param tell called with a line when a tenth of what takes long is done
 */
export async function migrate(
  target: MigrationTarget,
  room: string,
  folder: URL,
  tell: (line: string) => void = () => undefined,
): Promise<void> {
  await target.command(compileClickHouse(table))
  const rows = await target.query<{ name: string }>(
    compileClickHouse(sql`select distinct name from migrations where room = ${room}`),
  )
  const applied = new Set(rows.map((row) => row.name))
  const names = (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort()
  for (const name of names.filter((candidate) => !applied.has(candidate))) {
    const text = await readFile(new URL(name, folder), 'utf8')
    for (const statement of splitStatements(text))
      await runStatement(target, statement, {
        room,
        // Its tables have no rows.
        isNew: applied.size === 0,
        progress: byTenths((percent) => tell(`Upgrade of ${room}, ${name.slice(0, -4)}: ${percent} %`)),
      })
    await target.insert('migrations', [{ room, name }])
  }
}

/** The migrations that a database has, as `room/0001_name`; none where it has no tables of ours. */
export async function appliedMigrations({ query }: Pick<ClickHouse, 'query'>): Promise<readonly string[]> {
  const [found] = await query<{ tables: string }>(
    compileClickHouse(sql`
      select count() as tables from system.tables where database = currentDatabase() and name = 'migrations'`),
  )
  if (Number(found?.tables ?? 0) === 0) return []
  const rows = await query<{ room: string; name: string }>(
    compileClickHouse(sql`select distinct room, name from migrations order by room, name`),
  )
  return rows.map(({ room, name }) => `${room}/${name.replace(/\.sql$/, '')}`)
}

/** Each tenth is reported once; a statement that is over at once, not at all. */
function byTenths(tell: (percent: number) => void): Progress {
  const startedMs = performance.now()
  let last = 0
  return (part) => {
    const percent = Math.floor(part * 10) * 10
    if (percent <= last || performance.now() - startedMs < quickMs) return
    last = percent
    tell(percent)
  }
}

const quickMs = 2000
