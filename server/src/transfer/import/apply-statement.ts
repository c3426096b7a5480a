import { areObjects, describe, type ImportContext, unnamedColumns } from './context.ts'
import { type DumpInsert, headerOf, insertOf, withoutComments } from './dump-header.ts'
import { isManagedSchema, isMapped } from './managed.ts'
import { loadMappedRows } from './mapped-rows.ts'
import { createdRole, planStatement } from './plan-statement.ts'
import { addNote } from './report.ts'
import { insertIntoStagingStatement, revokeDefaultsStatement } from './target-statements.ts'

const makesObject = /^create\s+(?!schema\b|extension\b|policy\b|trigger\b|(?:unique\s+)?index\b|role\b)/i

/** Runs one statement of the source as the target needs it; `isDumped` where it follows others of a dump. */
export async function applyStatement(context: ImportContext, text: string, isDumped: boolean): Promise<void> {
  const { target, origin, facts, roles, steps, report } = context
  context.header = isDumped ? headerOf(text, context.header) : null
  const insert = insertOf(text)
  if (insert !== null && isManagedSchema(insert.schema, origin)) return applyManagedInsert(context, text, insert)
  const planned = planStatement(text, context.header, origin, facts)
  const what = describe(context.header, text)
  if (planned.kind === 'skip') {
    if (planned.note !== null) addNote(report, planned.note)
    return
  }
  context.progress(what)
  const run = async (): Promise<void> => {
    await target.query({ text: planned.text, values: [] })
    if (makesObject.test(planned.text)) await target.query(revokeDefaultsStatement())
    report.statements += 1
  }
  await steps.once(steps.nameOf(planned.text), what, run, withoutComments(planned.text))
  const created = createdRole(planned.text)
  if (created !== null) roles.add(created)
}

async function applyManagedInsert(context: ImportContext, text: string, insert: DumpInsert): Promise<void> {
  const { target, steps, objects, report } = context
  const { schema, table, columns, values } = insert
  if (!isMapped(schema, table)) return
  const name = `${schema}.${table}`
  if (columns === null) return addNote(report, unnamedColumns(name))
  const fill = async () => (await target.query(insertIntoStagingStatement(columns, values))).rowCount
  if (areObjects(schema, table)) return objects.keep(columns, fill)
  await steps.once(steps.nameOf(text), `rows of ${name}`, () =>
    loadMappedRows(context, { schema, table, columns }, fill),
  )
}
