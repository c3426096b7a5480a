import type { Session, Sql } from '../../../engines/postgres/index.ts'
import { dataError } from '../errors.ts'
import type { Rest } from '../rest.ts'
import { type AskedAs, callerAs, inPlaceOf } from '../why/caller.ts'
import { rawOf } from '../why/question.ts'
import type { ReadTexts } from './rows.ts'
import type { DataTable } from './table-catalogue.ts'

/** Reads a table as a request to the data API would, reading only. */
export type RowsAs = (as: AskedAs, table: DataTable) => Promise<ReadTexts>

interface RowsAsDeps {
  readonly rest: Pick<Rest, 'planned'>
  readonly session: Session
  /** Finds users. */
  readonly sql: Pick<Sql, 'query'>
}

/**
 * Reads rows with the role and the claims of a caller, as policies and rights let them.
 *
 * @throws CLEW_WHY_USER_NOT_FOUND, and what the data API says of a table that it does not show
 */
export function createRowsAs({ rest, session, sql }: RowsAsDeps): RowsAs {
  return async (as, { schema, name }) => {
    const caller = await callerAs(sql, as)
    const path = `/${encodeURIComponent(name)}`
    const raw = rawOf({ method: 'GET', path, query: '', profile: schema, body: null, caller })
    const asCaller = inPlaceOf(session, await rest.planned(raw), raw, caller)
    return async (statement) => {
      const { rows, problem } = await asCaller(statement)
      if (problem !== null)
        throw dataError('CLEW_DATA_QUERY_REFUSED', { message: problem.message, details: problem.code })
      return rows
    }
  }
}
