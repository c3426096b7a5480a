import type { Sql } from '../../../engines/postgres/index.ts'
import type { RequestWork } from '../../../ground/model/request.ts'
import type { Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { amrOf, issueTokens } from '../sessions/issue-session.ts'
import { createRefreshToken, signRefreshToken } from '../sessions/refresh-token.ts'
import {
  deleteLowerSessions,
  findActiveRefreshToken,
  lockSession,
  raiseSession as raiseRow,
  type SessionRow,
  setSignedState,
  swapRefreshToken,
} from '../store/sessions.ts'
import type { UserRow } from '../store/users.ts'

/**
 * Raises a session to the second level: new tokens, and every other session of the user that is below it ends
 * (auth §15). Runs inside the caller's transaction.
 */
export async function raiseSession(
  parts: Parts,
  sql: Sql,
  {
    user,
    sessionId,
    factorId,
    method,
  }: {
    readonly user: UserRow
    readonly sessionId: string
    readonly factorId: string
    readonly method: string
  },
  work: RequestWork,
): Promise<Reply> {
  const now = parts.now()
  const session = await lockSession(sql, sessionId, work)
  if (session === undefined) throw authError('session_not_found')
  const refreshToken = await replaceToken(parts, sql, session, work)
  const methods = amrOf(await raiseRow(sql, { id: session.id, factorId, method, methodId: parts.newId() }, now, work))
  await deleteLowerSessions(sql, user.id, session.id, work)
  const raised = { ...session, aal: 'aal2' }
  const issued = { session: raised, methods, refreshToken, authenticationMethod: method }
  return (await issueTokens(parts, user, issued, { sql, work })).reply
}

/** The token that was there keeps its place as the parent; a signed one is two behind, and so is worth nothing more. */
async function replaceToken(parts: Parts, sql: Sql, session: SessionRow, work: RequestWork): Promise<string> {
  const now = parts.now()
  if (session.signed !== null) {
    const { key, counter } = session.signed
    await setSignedState(sql, session.id, { key, counter: counter + 2 }, now, work)
    return signRefreshToken(session.id, counter + 2, key)
  }
  const used = await findActiveRefreshToken(sql, session.id, work)
  // Without one the session was ended by the reuse of an old token, and must not come back this way.
  if (used === undefined) throw authError('session_not_found')
  const child = createRefreshToken()
  await swapRefreshToken(sql, { used, child, session }, now, work)
  return child
}
