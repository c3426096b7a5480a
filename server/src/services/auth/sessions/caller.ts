import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { Caller, Identity } from '../../../ground/model/caller.ts'
import type { RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { isOfClient } from '../model/session.ts'
import { hasVerifiedFactor, isBanned } from '../model/user.ts'
import { findUserWithSession } from '../store/callers.ts'
import type { SessionsDeps } from './deps.ts'
import { findSessionEnd, sessionRulesOf } from './session-validity.ts'
import type { Administrator, AuthCaller, Member } from './sessions.ts'

/**
 * Finds the user behind a request's token (auth §2, "user auth"). Signed claims are not enough: the user and the
 * session must still be there, which is what makes a sign-out hold at once.
 *
 * @throws no_authorization, bad_jwt, user_not_found, session_not_found, user_banned
 */
export async function findCaller(
  deps: Pick<SessionsDeps, 'database' | 'now' | 'settings'>,
  context: RequestContext,
): Promise<AuthCaller> {
  const { authorization } = context.headers
  if (typeof authorization !== 'string' || !/^bearer \S+$/i.test(authorization)) throw authError('no_authorization')
  const caller = callerOf(context.identity)
  if (caller === undefined) throw authError('bad_jwt')
  const { claims } = caller
  // Another issuer's `sub` names no user here, even where it equals a user's id.
  if (typeof claims.iss === 'string' && deps.settings.thirdPartyIssuers.includes(claims.iss)) throw authError('bad_jwt')
  // First, for an opaque key has no end either: it is a key in the wrong place, and no malformed token (auth §2).
  if (typeof claims.sub !== 'string' || claims.sub === '')
    throw authError('bad_jwt', { message: 'invalid claim: missing sub claim' })
  // The gateway allows the data services some leeway with the clock; here there is none.
  if (typeof claims.exp !== 'number' || claims.exp * 1000 <= deps.now().getTime()) throw authError('bad_jwt')
  if (!isUuid(claims.sub)) throw authError('bad_jwt/400')
  const sessionId = claims.session_id ?? ''
  if (typeof sessionId !== 'string' || (sessionId !== '' && !isUuid(sessionId)))
    throw authError('bad_jwt', { message: 'invalid claim: session_id claim must be a UUID' })

  const ids = { userId: claims.sub, sessionId: sessionId === '' ? null : sessionId }
  const found = await findUserWithSession(deps.database.for(context), ids)
  if (found === undefined) throw authError('user_not_found')
  const { user, session } = found
  // `sub` and `session_id` must belong together.
  if (ids.sessionId !== null && session?.userId !== user.id) throw authError('session_not_found')
  if (isBanned(user, deps.now())) throw authError('user_banned')
  return { user, session }
}

/**
 * The caller as a user of the application itself: a client of the OAuth server acts for a user within its scopes, and must neither
 * change how they sign in nor agree to more in their name.
 *
 * @throws what `findCaller` throws, and no_authorization (403) for such a client
 */
export async function findOwner(
  deps: Pick<SessionsDeps, 'database' | 'now' | 'settings'>,
  context: RequestContext,
): Promise<AuthCaller> {
  const caller = await findCaller(deps, context)
  if (isOfClient(caller)) throw authError('no_authorization/403')
  return caller
}

/** The caller; where no project key is needed and none came, the token's. */
const callerOf = (identity: Identity): Caller | undefined =>
  identity.kind === 'caller' ? identity.caller : identity.kind === 'no_key' ? identity.bearer : undefined

/**
 * Lets administrators pass (auth §2, "admin auth"): a secret key, or a token whose role is an administrator's. A
 * token of a session must be of one that is still there and may still be refreshed.
 *
 * @throws no_authorization, bad_jwt, not_admin, session_expired/403, and what `findCaller` throws
 */
export async function checkAdmin(
  deps: Pick<SessionsDeps, 'database' | 'now' | 'settings'>,
  context: RequestContext,
): Promise<Administrator> {
  const { authorization } = context.headers
  if (typeof authorization !== 'string' || !/^bearer \S+$/i.test(authorization)) throw authError('no_authorization')
  if (context.identity.kind !== 'caller') throw authError('bad_jwt')
  const { caller, token } = context.identity
  const { claims } = caller
  // An opaque key is no token: it has no claims beside its role, and no end.
  if (token !== null && !(Number(claims.exp) * 1000 > deps.now().getTime())) throw authError('bad_jwt')
  const { role } = claims
  if (typeof role !== 'string' || !deps.settings.jwtAdminRoles.includes(role)) throw authError('not_admin')
  if (claims.session_id === undefined || claims.session_id === '') return { role }
  const { user, session } = await findCaller(deps, context)
  const facts = { tokenAt: null, hasVerifiedFactor: hasVerifiedFactor(user), now: deps.now() }
  const end = session === null ? null : findSessionEnd({ session, ...facts }, sessionRulesOf(deps.settings))
  if (end !== null) throw authError('session_expired/403', { message: end })
  return { role }
}

/**
 * The owner of an account, signed in and not anonymous, who may have factors and passkeys.
 *
 * @throws what `findOwner` throws, and no_authorization for anonymous users
 */
export async function findMember(
  deps: Pick<SessionsDeps, 'database' | 'now' | 'settings'>,
  context: RequestContext,
): Promise<Member> {
  const { user, session } = await findOwner(deps, context)
  const claimed = context.identity.kind === 'caller' && context.identity.caller.claims.is_anonymous === true
  if (claimed || user.isAnonymous)
    throw authError('no_authorization/403', { message: 'Anonymous user not allowed to perform these actions' })
  if (session === null) throw authError('session_not_found')
  return { user, session }
}
