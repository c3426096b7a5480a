import type { Sql } from '../../engines/postgres/index.ts'
import { compile } from '../../ground/sql/postgres.ts'
import { sql } from '../../ground/sql/sql.ts'
import type { SampleFile } from './file.ts'
import { restoreRows } from './restore-rows.ts'
import { planTimeline, retime } from './retime.ts'
import { recordSampleDay } from './store.ts'

/** The roles that write a sample's rows, and the tables that it may fill. */
export interface RestoreDeps {
  readonly admin: Sql
  /** The role that owns the tables of `auth`. */
  readonly auth: Sql
  /** The role that owns the application's tables. */
  readonly owner: Sql
  /** PostgreSQL tables of services that a sample may fill, `schema.table`. */
  readonly serviceTables: readonly string[]
  /** Schemas of the application, whose tables a sample may fill. */
  readonly schemas: readonly string[]
}

/**
 * Stores a sample's rows of PostgreSQL, in a transaction for each role. The role that owns a table writes its rows, since
 * defaults and generated columns may run code of the application. The administrator comes last and records the day:
 * after a failure everything is written again.
 *
 * @param day midnight at which the day of the visits begins
 */
export async function restoreTables(deps: RestoreDeps, sample: SampleFile, day: Date): Promise<void> {
  const { admin, auth, owner } = deps
  const timeline = planTimeline(sample.scenes, sample.until, day)
  const tables = [...sample.tables]
    .filter(([name]) => name.includes('.'))
    .map(([name, lines]) => ({ name, lines, writer: writerOf(deps, name) }))
  for (const writer of [owner, auth, admin]) {
    await writer.transaction(async (tx) => {
      // The rows are as triggers left them: none may act on them again.
      await tx.query(compile(sql`set local session_replication_role = replica`))
      for (const { name, lines } of tables.filter((table) => table.writer === writer)) {
        const [schema = '', table = ''] = name.split('.')
        const rows = lines.map((line) => retime(line.toString(), timeline))
        await restoreRows(tx, schema, table, rows)
      }
      if (writer === admin) await recordSampleDay(tx, day)
    })
  }
}

function writerOf({ admin, auth, owner, serviceTables, schemas }: RestoreDeps, name: string): Sql {
  const [schema = ''] = name.split('.')
  if (serviceTables.includes(name)) return schema === 'auth' ? auth : admin
  if (schemas.includes(schema)) return owner
  throw new Error(`a sample may not fill ${name}`)
}
