import { type BulkConnection, isDatabaseError } from '../../engines/postgres/index.ts'
import { messageOf } from '../../ground/errors/message.ts'
import {
  createObjectsStatement,
  deleteObjectsStatement,
  insertObjectsStatement,
  keepObjectsStatement,
} from '../files/object-statements.ts'
import type { ImportReport } from './report.ts'
import { createStagingStatement, replicaStatement } from './target-statements.ts'

/** The rows of `storage.objects`, which come in with their files and not before. */
export interface ObjectRows {
  /** Takes rows of these columns, which `fill` puts into the staging table. */
  keep(columns: readonly string[], fill: () => Promise<unknown>): Promise<void>
}

/** The dependencies of `keepObjectRows`. */
export interface ObjectRowsDeps {
  readonly target: BulkConnection
  /** The source's name in the journal. */
  readonly source: string
  /** Whether files follow: rows are inserted then, as the application's own may refer to them. */
  readonly movesFiles: boolean
  readonly mayReplicate: boolean
  readonly report: ImportReport
}

/** Forgets what an earlier run has kept of the source: its rows come anew. */
export async function keepObjectRows(deps: ObjectRowsDeps): Promise<ObjectRows> {
  const { target, source, movesFiles, mayReplicate, report } = deps
  await target.query(createObjectsStatement())
  await target.query(deleteObjectsStatement(source))
  return {
    async keep(columns, fill) {
      try {
        await target.transaction(async () => {
          if (mayReplicate) await target.query(replicaStatement())
          await target.query(createStagingStatement(columns))
          await fill()
          await target.query(keepObjectsStatement(source))
          if (movesFiles) await target.query(insertObjectsStatement(source))
        })
      } catch (error) {
        if (!isDatabaseError(error)) throw error
        report.failed.push({ what: 'the rows of storage.objects', reason: messageOf(error) })
      }
    },
  }
}
