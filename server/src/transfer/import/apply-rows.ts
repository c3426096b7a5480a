import type { Readable } from 'node:stream'
import { isDatabaseError } from '../../engines/postgres/index.ts'
import { areObjects, describe, type ImportContext, unnamedColumns } from './context.ts'
import { headerOf, withoutComments } from './dump-header.ts'
import type { InsertBatch } from './insert-batches.ts'
import type { TableRows } from './items.ts'
import { isManagedSchema, isMapped } from './managed.ts'
import { loadMappedRows } from './mapped-rows.ts'
import { addNote, countRows } from './report.ts'
import { copyInto, copyIntoStaging, insertIntoStagingStatement, replicaStatement } from './target-statements.ts'

type Inserts = InsertBatch['inserts']

/** Runs INSERT statements into one table as one; where a row is refused, one by one, so that the others are taken. */
export async function applyInserts(context: ImportContext, batch: InsertBatch): Promise<void> {
  const { origin, steps, report } = context
  const { into, inserts } = batch
  const { schema, table, columns } = into
  const isManaged = isManagedSchema(schema, origin)
  for (const { text } of inserts) context.header = headerOf(text, context.header)
  if (isManaged && !isMapped(schema, table)) return
  const name = `${schema}.${table}`
  if (isManaged && columns === null) return addNote(report, unnamedColumns(name))
  context.progress(`rows of ${name}`)
  if (isManaged && areObjects(schema, table))
    return context.objects.keep(columns ?? [], () => fillStaging(context, batch, inserts))
  const named = inserts.map((each) => ({ ...each, step: steps.nameOf(withoutComments(each.text)) }))
  const left = named.filter(({ step }) => !steps.isDone(step))
  report.alreadyThere += named.length - left.length
  if (left.length === 0) return
  const insert = async (some: Inserts): Promise<void> => {
    await insertSome(context, batch, some)
    if (!isManaged) report.statements += some.length
  }
  try {
    await steps.run(
      left.map(({ step }) => step),
      () => insertSome(context, batch, left),
    )
    if (!isManaged) report.statements += left.length
  } catch (error) {
    if (!isDatabaseError(error)) throw error
    for (const each of left)
      await steps.once(each.step, describe(headerOf(each.text, context.header), each.text), () => insert([each]))
  }
}

async function insertSome(context: ImportContext, batch: InsertBatch, some: Inserts): Promise<void> {
  const { schema, table, columns } = batch.into
  if (isManagedSchema(schema, context.origin))
    return loadMappedRows(context, { schema, table, columns: columns ?? [] }, () => fillStaging(context, batch, some))
  await context.target.query({ text: batch.start + valuesOf(some), values: [] })
}

async function fillStaging({ target }: ImportContext, { into }: InsertBatch, some: Inserts): Promise<number> {
  return (await target.query(insertIntoStagingStatement(into.columns ?? [], valuesOf(some)))).rowCount
}

const valuesOf = (inserts: Inserts): string => `values ${inserts.map(({ rows }) => rows).join(', ')}`

/** Loads the rows of one table by COPY. */
export async function applyRows(context: ImportContext, rows: TableRows): Promise<void> {
  const { target, origin, steps, objects, mayReplicate, report } = context
  const { schema, table, columns } = rows
  const name = `${schema}.${table}`
  const step = `rows:${name}`
  const isManaged = isManagedSchema(schema, origin)
  const isWanted = !isManaged || isMapped(schema, table)
  if (!isWanted || steps.isDone(step)) {
    if (isWanted) report.alreadyThere += 1
    return discard(rows.open())
  }
  context.progress(name)
  const stream = rows.open()
  const fill = () => target.copyIn(copyIntoStaging(columns), stream)
  if (isManaged && areObjects(schema, table)) await objects.keep(columns, fill)
  else
    await steps.once(step, `the rows of ${name}`, async () => {
      if (isManaged) return loadMappedRows(context, { schema, table, columns }, fill)
      // Where the tables stood before, so do their triggers and foreign keys.
      if (mayReplicate) await target.query(replicaStatement())
      const moved = await target.copyIn(copyInto(schema, table, columns), stream)
      countRows(report, name, { rows: moved, conflicts: 0 })
    })
  await discard(stream)
}

/** Reads what is left of a stream, so that its connection or file goes on behind it. */
async function discard(stream: Readable): Promise<void> {
  if (stream.readableEnded || stream.destroyed) return
  for await (const _ of stream);
}
