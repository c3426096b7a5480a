import type { BulkConnection } from '../../engines/postgres/index.ts'
import { selectOwnIndexStatement } from '../../instance/project/index-options.ts'
import { applyInserts, applyRows } from './apply-rows.ts'
import { applyStatement } from './apply-statement.ts'
import type { ImportContext } from './context.ts'
import { batchInserts, type InsertBatch } from './insert-batches.ts'
import type { ImportItem } from './items.ts'
import { createJournalStatements } from './journal.ts'
import { keepObjectRows } from './keep-objects.ts'
import type { Origin } from './managed.ts'
import type { TargetFacts } from './plan-statement.ts'
import { addNote, emptyReport, type ImportReport } from './report.ts'
import { openSteps } from './steps.ts'
import {
  mayReplicateStatement,
  selectExtensionsStatement,
  selectRoleNamesStatement,
  selfGrantStatement,
  sessionStatements,
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

/**
 * Applies items one after another, each in a transaction with a note that it is done. What fails is reported, and the
 * rest goes on; an import that is started again does what is not done.
 */
export async function applyItems(items: AsyncIterable<ImportItem>, deps: ApplyDeps): Promise<ImportReport> {
  const context = await openContext(deps)
  for await (const item of batchInserts(items)) await applyItem(context, item)
  return context.report
}

async function openContext({ target, source, origin, movesFiles, progress }: ApplyDeps): Promise<ImportContext> {
  const report = emptyReport()
  for (const statement of [...createJournalStatements(), ...sessionStatements()]) await target.query(statement)
  await target.query(selfGrantStatement()).catch(() => undefined)
  const roles = await readRoles(target)
  const facts: TargetFacts = { ...(await readFacts(target)), roles }
  const steps = await openSteps({ target, source, report })
  const { rows: may } = await target.query<{ may: boolean }>(mayReplicateStatement())
  const mayReplicate = may[0]?.may === true
  const objects = await keepObjectRows({ target, source, movesFiles, mayReplicate, report })
  return { target, origin, facts, roles, mayReplicate, steps, objects, report, progress, header: null }
}

async function applyItem(context: ImportContext, item: InsertBatch | ImportItem): Promise<void> {
  const { target, steps, report } = context
  switch (item.kind) {
    case 'inserts':
      return applyInserts(context, item)
    case 'statement':
      return applyStatement(context, item.text, item.isDumped)
    case 'rows':
      return applyRows(context, item)
    case 'call':
      context.progress(item.what)
      return steps.once(item.key, item.what, async () => {
        await target.query({ text: item.text, values: [...item.values] })
        report.statements += 1
      })
    case 'note':
      return addNote(report, item.text)
    default:
      item satisfies never
  }
}

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
