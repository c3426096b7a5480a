import type { AuthResponse } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { amrOf, type SessionRow } from '../model/session.ts'
import type { UserRow } from '../model/user.ts'
import { createRefreshToken, signRefreshToken } from '../sessions/refresh-token.ts'
import type { RequestSql } from '../store/database.ts'
import { findActiveRefreshToken, swapRefreshToken } from '../store/refresh-tokens.ts'
import { deleteLowerSessions, lockSession, raiseSession as raiseRow, setSignedState } from '../store/sessions.ts'
import type { FactorsDeps } from './deps.ts'

/**
 * Raises a session to the second level: new tokens, and every other session of the user that is below it ends
 * (auth §15). Runs inside the caller's transaction.
 */
export async function raiseSession(
  deps: FactorsDeps,
  sql: RequestSql,
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
): Promise<AuthResponse> {
  const now = deps.now()
  const session = await lockSession(sql, sessionId)
  if (session === undefined) throw authError('session_not_found')
  const refreshToken = await replaceToken(deps, sql, session)
  const methods = amrOf(await raiseRow(sql, { id: session.id, factorId, method, methodId: deps.newId() }, now))
  await deleteLowerSessions(sql, user.id, session.id)
  const raised = { ...session, aal: 'aal2' }
  const issued = { session: raised, methods, refreshToken, authenticationMethod: method }
  return (await deps.issueTokens(sql, user, issued)).reply
}

/** The token that was there keeps its place as the parent; a signed one is two behind, and so is worth nothing more. */
async function replaceToken(deps: FactorsDeps, sql: RequestSql, session: SessionRow): Promise<string> {
  const now = deps.now()
  if (session.signed !== null) {
    const { key, counter } = session.signed
    await setSignedState(sql, session.id, { key, counter: counter + 2 }, now)
    return signRefreshToken(session.id, counter + 2, key)
  }
  const used = await findActiveRefreshToken(sql, session.id)
  // Without one the session was ended by the reuse of an old token, and must not come back this way.
  if (used === undefined) throw authError('session_not_found')
  const child = createRefreshToken()
  await swapRefreshToken(sql, { used, child, session }, now)
  return child
}
