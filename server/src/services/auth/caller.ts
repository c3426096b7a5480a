import { isUuid } from '../../ground/ids/uuidv7.ts'
import type { RequestWork } from '../../ground/model/request.ts'
import type { Parts } from './deps.ts'
import { authError } from './errors.ts'
import { findSession, type SessionRow } from './store/sessions.ts'
import { findUser, type UserRow } from './store/users.ts'

/** The user who calls, as the database knows them now. */
export interface AuthCaller {
  readonly user: UserRow
  /** Null for a token that names no session. */
  readonly session: SessionRow | null
}

/**
 * Finds the user behind a request's token (contract §2, "user auth"). Signed claims are not enough: the user and the
 * session must still be there, which is what makes a sign-out hold at once.
 *
 * @throws no_authorization, bad_jwt, user_not_found, session_not_found, user_banned
 */
export async function findCaller(parts: Pick<Parts, 'database' | 'now'>, work: RequestWork): Promise<AuthCaller> {
  const { authorization } = work.headers
  if (typeof authorization !== 'string' || !/^bearer \S+$/i.test(authorization)) throw authError('no_authorization')
  if (work.identity.kind !== 'caller') throw authError('bad_jwt')
  const { claims } = work.identity.caller
  // The gateway allows the data services some leeway with the clock; here there is none.
  if (typeof claims.exp !== 'number' || claims.exp * 1000 <= parts.now().getTime()) throw authError('bad_jwt')
  if (typeof claims.sub !== 'string' || claims.sub === '')
    throw authError('bad_jwt', { message: 'invalid claim: missing sub claim' })
  if (!isUuid(claims.sub)) throw authError('bad_jwt/400')
  const sessionId = claims.session_id ?? ''
  if (typeof sessionId !== 'string' || (sessionId !== '' && !isUuid(sessionId)))
    throw authError('bad_jwt', { message: 'invalid claim: session_id claim must be a UUID' })

  const user = await findUser(parts.database.sql, claims.sub, work)
  if (user === undefined) throw authError('user_not_found')
  const session = sessionId === '' ? null : ((await findSession(parts.database.sql, sessionId, work)) ?? 'gone')
  // A session of somebody else's is as good as none: `sub` and `session_id` must belong together.
  if (session === 'gone' || (session !== null && session.userId !== user.id)) throw authError('session_not_found')
  if (isBanned(user, parts.now())) throw authError('user_banned')
  return { user, session }
}

/** Whether a user may not sign in for now. */
export const isBanned = (user: UserRow, now: Date): boolean => user.bannedUntil !== null && user.bannedUntil > now
