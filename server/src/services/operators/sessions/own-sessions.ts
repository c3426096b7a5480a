import type { Sql } from '../../../engines/postgres/index.ts'
import type { LiveNotices } from '../../../ground/model/live.ts'
import { operatorsError } from '../errors.ts'
import {
  type CurrentSession,
  deleteOtherSessions,
  deleteSessionById,
  findSessions,
  type OperatorSession,
} from './store.ts'

/** The sessions of the operator who is signed in. */
export interface OwnSessions {
  list(current: CurrentSession): Promise<readonly OperatorSession[]>
  /** @throws CLEW_OPERATORS_NOT_FOUND */
  end(current: CurrentSession, id: string): Promise<void>
  endOthers(current: CurrentSession): Promise<void>
}

export interface OwnSessionsDeps {
  readonly sql: Sql
  readonly now: () => Date
  readonly live: LiveNotices
}

export const createOwnSessions = ({ sql, now, live }: OwnSessionsDeps): OwnSessions => ({
  list: ({ operator }) => findSessions(sql, operator.id, now()),
  async end({ operator }, id) {
    if (!(await deleteSessionById(sql, operator.id, id))) throw operatorsError('CLEW_OPERATORS_NOT_FOUND')
    live.announce('access')
  },
  async endOthers({ operator, id }) {
    await deleteOtherSessions(sql, operator.id, id)
    live.announce('access')
  },
})
