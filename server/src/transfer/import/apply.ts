import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type BulkConnection, isDatabaseError, sqlStateOf } from '../../engines/postgres/index.ts'
import { messageOf } from '../../ground/errors/message.ts'
import { selectOwnIndexStatement } from '../../instance/project/index-options.ts'
import { createHistoryStatements } from '../../instance/project/migrations/history.ts'
import { type DumpHeader, type DumpInsert, headerOf, insertOf, withoutComments } from './dump-header.ts'
import { batchInserts, type InsertBatch } from './insert-batches.ts'
import type { ImportItem, TableRows } from './items.ts'
import { createJournalStatements, insertStepsStatement, selectStepsStatement } from './journal.ts'
import { keepObjectRows } from './keep-objects.ts'
import { isManagedSchema, isMapped, type Origin } from './managed.ts'
import { createdRole, planStatement, type TargetFacts } from './plan-statement.ts'
import { emptyReport, type ImportReport } from './report.ts'
import {
  copyInto,
  copyIntoStaging,
  createStagingStatement,
  insertIntoStagingStatement,
  insertStagedStatement,
  mayReplicateStatement,
  replicaStatement,
  revokeDefaultsStatement,
  selectColumnsStatement,
  selectExtensionsStatement,
  selectRoleNamesStatement,
  selectUsedColumnsStatement,
  selfGrantStatement,
  sessionStatements,
  type TargetColumn,
} from './target-statements.ts'

/** An import into one database. */
export interface ApplyDeps {
  /** A connection of the application's owner. */
  readonly target: BulkConnection
  /** Tells this source from others, whose steps are noted beside. */
  readonly source: string
  readonly origin: Origin
  /** Whether the files of stored objects follow. */
  readonly movesFiles: boolean
  readonly progress: (line: string) => void
}

/** SQLSTATEs of what is there already: schema, relation, object, function, column. */
const alreadyThere: ReadonlySet<string> = new Set(['42P06', '42P07', '42710', '42723', '42701'])

const makesObject = /^create\s+(?!schema\b|extension\b|policy\b|trigger\b|(?:unique\s+)?index\b|role\b)/i

/**
 * Applies items one after another, each in a transaction with a note that it is done. What fails is reported, and the
 * rest goes on; an import that is started again does what is not done.
 */
export async function applyItems(
  items: AsyncIterable<ImportItem>,
  { target, source, origin, movesFiles, progress }: ApplyDeps,
): Promise<ImportReport> {
  const report = emptyReport()
  for (const statement of [...createJournalStatements(), ...sessionStatements()]) await target.query(statement)
  await target.query(selfGrantStatement()).catch(() => undefined)
  const roles = await readRoles(target)
  const facts: TargetFacts = { ...(await readFacts(target)), roles }
  const { rows: steps } = await target.query<{ step: string }>(selectStepsStatement(source))
  const done = new Set(steps.map(({ step }) => step))
  const { rows: may } = await target.query<{ may: boolean }>(mayReplicateStatement())
  const mayReplicate = may[0]?.may === true
  const objects = await keepObjectRows({ target, source, movesFiles, mayReplicate, report })
  const occurrences = new Map<string, number>()
  let header: DumpHeader | null = null

  const note = (text: string): void => {
    if (!report.notes.includes(text)) report.notes.push(text)
  }

  const countRows = (table: string, rows: number, conflicts: number): void => {
    const found = report.tables.find((each) => each.table === table)
    if (found === undefined) report.tables.push({ table, rows, conflicts })
    else {
      found.rows += rows
      found.conflicts += conflicts
    }
  }

  /** Runs steps in one transaction with the note that they are done. */
  const run = async (steps: readonly string[], body: () => Promise<void>): Promise<void> => {
    await target.transaction(async () => {
      await body()
      await target.query(insertStepsStatement(source, steps))
    })
    for (const step of steps) done.add(step)
  }

  /** Runs a step once. What it throws is reported. */
  const once = async (step: string, what: string, body: () => Promise<void>): Promise<void> => {
    if (done.has(step)) {
      report.alreadyThere += 1
      return
    }
    try {
      await run([step], body)
    } catch (error) {
      if (!isDatabaseError(error)) throw error
      if (alreadyThere.has(sqlStateOf(error) ?? '')) report.alreadyThere += 1
      else report.failed.push({ what, reason: messageOf(error) })
    }
  }

  const runStatement = async (text: string, isDumped: boolean): Promise<void> => {
    header = isDumped ? headerOf(text, header) : null
    const insert = insertOf(text)
    if (insert !== null && isManagedSchema(insert.schema, origin)) return runManagedInsert(text, insert)
    const planned = planStatement(text, header, origin, facts)
    const what = describe(header, text)
    if (planned.kind === 'skip') {
      if (planned.note !== null) note(planned.note)
      return
    }
    progress(what)
    const step = stepOf(planned.text, occurrences)
    await once(step, what, async () => {
      await target.query({ text: planned.text, values: [] })
      if (makesObject.test(planned.text)) await target.query(revokeDefaultsStatement())
      report.statements += 1
    })
    const created = createdRole(planned.text)
    if (created !== null) roles.add(created)
  }

  const runManagedInsert = async (text: string, { schema, table, columns, values }: DumpInsert): Promise<void> => {
    if (!isMapped(schema, table)) return
    const name = `${schema}.${table}`
    if (columns === null) {
      note(`Left out: rows of ${name}, whose columns the dump does not name (pg_dump --column-inserts does).`)
      return
    }
    if (areObjects(schema, table))
      return objects.keep(columns, () => target.query(insertIntoStagingStatement(columns, values)))
    await once(stepOf(text, occurrences), `rows of ${name}`, () =>
      loadMapped(schema, table, columns, async () => {
        const { rowCount } = await target.query(insertIntoStagingStatement(columns, values))
        return rowCount
      }),
    )
  }

  const runInserts = async ({ into, start, inserts }: InsertBatch): Promise<void> => {
    const { schema, table, columns } = into
    const isManaged = isManagedSchema(schema, origin)
    for (const { text } of inserts) header = headerOf(text, header)
    if (isManaged && !isMapped(schema, table)) return
    const name = `${schema}.${table}`
    if (isManaged && columns === null) {
      note(`Left out: rows of ${name}, whose columns the dump does not name (pg_dump --column-inserts does).`)
      return
    }
    const insert = async (some: typeof inserts): Promise<void> => {
      const values = `values ${some.map(({ rows }) => rows).join(', ')}`
      const fill = async () => (await target.query(insertIntoStagingStatement(columns ?? [], values))).rowCount
      if (isManaged && areObjects(schema, table)) await objects.keep(columns ?? [], fill)
      else if (isManaged) await loadMapped(schema, table, columns ?? [], fill)
      else await target.query({ text: start + values, values: [] })
    }
    progress(`rows of ${name}`)
    if (isManaged && areObjects(schema, table)) return insert(inserts)
    const named = inserts.map((each) => ({ ...each, step: stepOf(withoutComments(each.text), occurrences) }))
    const left = named.filter(({ step }) => !done.has(step))
    report.alreadyThere += named.length - left.length
    if (left.length === 0) return
    const steps = left.map(({ step }) => step)
    try {
      await run(steps, () => insert(left))
      if (!isManaged) report.statements += left.length
    } catch (error) {
      if (!isDatabaseError(error)) throw error
      // One by one it shows which row is refused; the others are taken.
      for (const each of left)
        await once(each.step, describe(headerOf(each.text, header), each.text), async () => {
          await insert([each])
          if (!isManaged) report.statements += 1
        })
    }
  }

  const loadRows = async (rows: TableRows): Promise<void> => {
    const { schema, table, columns } = rows
    const name = `${schema}.${table}`
    const step = `rows:${name}`
    const isManaged = isManagedSchema(schema, origin)
    const isWanted = !isManaged || isMapped(schema, table)
    if (!isWanted || done.has(step)) {
      if (isWanted) report.alreadyThere += 1
      await discard(rows.open())
      return
    }
    progress(name)
    const stream = rows.open()
    if (isManaged && areObjects(schema, table)) {
      await objects.keep(columns, () => target.copyIn(copyIntoStaging(columns), stream))
      return discard(stream)
    }
    await once(step, `the rows of ${name}`, async () => {
      if (isManaged) return loadMapped(schema, table, columns, () => target.copyIn(copyIntoStaging(columns), stream))
      const moved = await target.copyIn(copyInto(schema, table, columns), stream)
      countRows(name, moved, 0)
    })
    await discard(stream)
  }

  /** Brings rows into a table of Clew's own; `fill` puts them into the staging table, and returns how many there are. */
  const loadMapped = async (
    schema: string,
    table: string,
    columns: readonly string[],
    fill: () => Promise<number>,
  ): Promise<void> => {
    const name = `${schema}.${table}`
    // A project's start makes them as well, with the first migration.
    if (schema === 'supabase_migrations')
      for (const statement of createHistoryStatements()) await target.query(statement)
    const { rows: known } = await target.query<TargetColumn>(selectColumnsStatement(schema, table))
    if (mayReplicate) await target.query(replicaStatement())
    await target.query(createStagingStatement(columns))
    const arrived = await fill()
    if (known.length === 0) {
      if (arrived > 0) note(`Left out: rows of ${name}, a table that Clew does not have: ${arrived}.`)
      return
    }
    const lacking = columns.filter((column) => !known.some((each) => each.name === column))
    if (lacking.length > 0) {
      const { rows: used } = await target.query<{ name: string }>(selectUsedColumnsStatement(lacking))
      for (const column of used) note(`Left out: the column ${name}.${column.name}, which Clew does not have.`)
    }
    const common = known.filter((each) => !each.is_generated && columns.includes(each.name))
    const { rowCount } = await target.query(insertStagedStatement(schema, table, common))
    countRows(name, rowCount, arrived - rowCount)
  }

  for await (const item of batchInserts(items))
    switch (item.kind) {
      case 'inserts':
        await runInserts(item)
        break
      case 'statement':
        await runStatement(item.text, item.isDumped)
        break
      case 'rows':
        await loadRows(item)
        break
      case 'call':
        progress(item.what)
        await once(item.key, item.what, async () => {
          await target.query({ text: item.text, values: [...item.values] })
          report.statements += 1
        })
        break
      case 'note':
        note(item.text)
        break
      default:
        item satisfies never
    }
  return report
}

const areObjects = (schema: string, table: string): boolean => schema === 'storage' && table === 'objects'

async function readRoles(target: BulkConnection): Promise<Set<string>> {
  const { rows } = await target.query<{ name: string }>(selectRoleNamesStatement())
  return new Set(rows.map(({ name }) => name))
}

async function readFacts(target: BulkConnection): Promise<Omit<TargetFacts, 'roles'>> {
  const { rows } = await target.query<{ name: string; versions: readonly string[] }>(selectExtensionsStatement())
  const { rowCount } = await target.query(selectOwnIndexStatement())
  return {
    extensions: new Map(rows.map(({ name, versions }) => [name, new Set(versions)])),
    hasOwnIndexes: rowCount > 0,
  }
}

/** Names a statement, the second of two equal ones apart from the first. */
function stepOf(text: string, occurrences: Map<string, number>): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 32)
  const before = occurrences.get(hash) ?? 0
  occurrences.set(hash, before + 1)
  return before === 0 ? hash : `${hash}#${before}`
}

const shownLength = 80

function describe(header: DumpHeader | null, text: string): string {
  const [line = ''] = withoutComments(text).split('\n')
  const start = line.slice(0, shownLength)
  return header === null
    ? start
    : `${header.type.toLowerCase()} ${header.schema ?? ''} ${header.name}: ${start}`.replace('  ', ' ')
}

/** Reads what is left of a stream, so that its connection or file goes on behind it. */
async function discard(stream: Readable): Promise<void> {
  if (stream.readableEnded || stream.destroyed) return
  for await (const _ of stream);
}
