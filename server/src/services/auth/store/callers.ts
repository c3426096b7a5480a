import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'
import type { SessionRow } from '../model/session.ts'
import type { UserRow } from '../model/user.ts'
import type { RequestSql } from './database.ts'
import { readSession, type SessionJson, sessionAsJson } from './sessions.ts'
import { userColumns } from './users.ts'

interface UserAndSessionIds {
  readonly userId: string
  readonly sessionId: string | null
}

const selectUserWithSessionStatement = (ids: UserAndSessionIds): Statement =>
  compile(sql`
    select ${userColumns}, ${sessionAsJson(ids.sessionId)} as session
    from auth.users u
    where u.id = ${ids.userId}`)

/** The user and the session of a token, in one look. */
export async function findUserWithSession(
  on: RequestSql,
  ids: UserAndSessionIds,
): Promise<{ readonly user: UserRow; readonly session: SessionRow | null } | undefined> {
  const { rows } = await on.query<UserRow & { readonly session: SessionJson | null }>(
    selectUserWithSessionStatement(ids),
  )
  if (rows[0] === undefined) return undefined
  const { session, ...user } = rows[0]
  return { user, session: session === null ? null : readSession(session) }
}
