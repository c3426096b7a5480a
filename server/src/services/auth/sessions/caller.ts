import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { Caller, Identity } from '../../../ground/model/caller.ts'
import type { RequestWork } from '../../../ground/model/request.ts'
import type { Parts } from '../deps.ts'
import { authError } from '../errors.ts'
import type { SessionRow } from '../store/sessions.ts'
import { findUserWithSession, type UserRow } from '../store/users.ts'
import { findSessionEnd, hasVerifiedFactor, sessionRulesOf } from './session-validity.ts'

/** The user who calls, as the database knows them now. */
export interface AuthCaller {
  readonly user: UserRow
  /** Null for a token that names no session. */
  readonly session: SessionRow | null
}

/**
 * Finds the user behind a request's token (auth §2, "user auth"). Signed claims are not enough: the user and the
 * session must still be there, which is what makes a sign-out hold at once.
 *
 * @throws no_authorization, bad_jwt, user_not_found, session_not_found, user_banned
 */
export async function findCaller(
  parts: Pick<Parts, 'database' | 'now' | 'settings'>,
  work: RequestWork,
): Promise<AuthCaller> {
  const { authorization } = work.headers
  if (typeof authorization !== 'string' || !/^bearer \S+$/i.test(authorization)) throw authError('no_authorization')
  const caller = callerOf(work.identity)
  if (caller === undefined) throw authError('bad_jwt')
  const { claims } = caller
  // Another issuer's `sub` is its own affair: it may be the id of a user here, and is nobody's all the same.
  if (typeof claims.iss === 'string' && parts.settings.thirdPartyIssuers.includes(claims.iss))
    throw authError('bad_jwt')
  // First, for an opaque key has no end either: it is a key in the wrong place, and no malformed token (auth §2).
  if (typeof claims.sub !== 'string' || claims.sub === '')
    throw authError('bad_jwt', { message: 'invalid claim: missing sub claim' })
  // The gateway allows the data services some leeway with the clock; here there is none.
  if (typeof claims.exp !== 'number' || claims.exp * 1000 <= parts.now().getTime()) throw authError('bad_jwt')
  if (!isUuid(claims.sub)) throw authError('bad_jwt/400')
  const sessionId = claims.session_id ?? ''
  if (typeof sessionId !== 'string' || (sessionId !== '' && !isUuid(sessionId)))
    throw authError('bad_jwt', { message: 'invalid claim: session_id claim must be a UUID' })

  const ids = { userId: claims.sub, sessionId: sessionId === '' ? null : sessionId }
  const found = await findUserWithSession(parts.database.sql, ids, work)
  if (found === undefined) throw authError('user_not_found')
  const { user, session } = found
  // A session of somebody else's is as good as none: `sub` and `session_id` must belong together.
  if (ids.sessionId !== null && session?.userId !== user.id) throw authError('session_not_found')
  if (isBanned(user, parts.now())) throw authError('user_banned')
  return { user, session }
}

/**
 * The same, in the application itself: a client of the OAuth server acts for a user within its scopes, and must neither
 * change how they sign in nor agree to more in their name.
 *
 * @throws what `findCaller` throws, and no_authorization (403) for such a client
 */
export async function findOwner(
  parts: Pick<Parts, 'database' | 'now' | 'settings'>,
  work: RequestWork,
): Promise<AuthCaller> {
  const caller = await findCaller(parts, work)
  if (isOfClient(caller)) throw authError('no_authorization/403')
  return caller
}

/** Whether a client of the OAuth server acts for the user. */
export const isOfClient = ({ session }: Pick<AuthCaller, 'session'>): boolean =>
  session !== null && session.oauthClientId !== null

/** Who asks; where no project key is needed and none came, whose token it is. */
const callerOf = (identity: Identity): Caller | undefined =>
  identity.kind === 'caller' ? identity.caller : identity.kind === 'no_key' ? identity.bearer : undefined

/** Whether a user may not sign in for now. */
export const isBanned = (user: UserRow, now: Date): boolean => user.bannedUntil !== null && user.bannedUntil > now

/** Who changes things in the project's name. */
export interface Administrator {
  readonly role: string
}

/**
 * Lets administrators pass (auth §2, "admin auth"): a secret key, or a token whose role is an administrator's. A
 * token of a session must be of one that is still there and may still be refreshed.
 *
 * @throws no_authorization, bad_jwt, not_admin, session_expired/403, and what `findCaller` throws
 */
export async function checkAdmin(
  parts: Pick<Parts, 'database' | 'now' | 'settings'>,
  work: RequestWork,
): Promise<Administrator> {
  const { authorization } = work.headers
  if (typeof authorization !== 'string' || !/^bearer \S+$/i.test(authorization)) throw authError('no_authorization')
  if (work.identity.kind !== 'caller') throw authError('bad_jwt')
  const { caller, token } = work.identity
  const { claims } = caller
  // An opaque key is no token: it has no claims beside its role, and no end.
  if (token !== null && !(Number(claims.exp) * 1000 > parts.now().getTime())) throw authError('bad_jwt')
  const { role } = claims
  if (typeof role !== 'string' || !parts.settings.jwtAdminRoles.includes(role)) throw authError('not_admin')
  if (claims.session_id === undefined || claims.session_id === '') return { role }
  const { user, session } = await findCaller(parts, work)
  const facts = { tokenAt: null, hasVerifiedFactor: hasVerifiedFactor(user), now: parts.now() }
  const end = session === null ? null : findSessionEnd({ session, ...facts }, sessionRulesOf(parts.settings))
  if (end !== null) throw authError('session_expired/403', { message: end })
  return { role }
}
