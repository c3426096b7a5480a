import type { Sql } from '../../../engines/postgres/index.ts'
import { randomToken } from '../../../ground/ids/tokens.ts'
import type { LiveNotices } from '../../../ground/model/live.ts'
import type { Operator, OperatorRole } from '../accounts/store.ts'
import { operatorsError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import type { Client } from './client.ts'
import { type CookieScope, deviceCookie, expiredCookie, readSessionCookie, sessionCookie } from './cookie.ts'
import { type CurrentSession, deleteSession, findRoles, findSession, insertSession, touchSession } from './store.ts'

export interface SessionsDeps {
  readonly sql: Sql
  readonly now: () => Date
  readonly newId: () => string
  readonly secrets: Pick<Secrets, 'hashToken' | 'tokenHashes' | 'signDevice'>
  readonly cookieScope: CookieScope
  readonly live: LiveNotices
  /** Days without a request after which a session expires. */
  readonly sessionDays: number
}

/** An operator who has just signed in, with the cookies of the session. */
export interface SignedIn {
  readonly kind: 'signed in'
  readonly operator: Operator
  /** `Set-Cookie` headers. */
  readonly cookies: readonly string[]
}

/** The session of a request, with a `Set-Cookie` header when its expiry was extended. */
export interface Authenticated {
  readonly session: CurrentSession
  readonly cookie: string | null
}

/** Sessions in cookies. A session expires after some days without a request. */
export interface Sessions {
  start(operator: Operator, client: Client): Promise<SignedIn>
  /** @throws CLEW_OPERATORS_SIGNED_OUT */
  authenticate(client: Client): Promise<Authenticated>
  /** The roles of sessions' operators, by the sessions' ids; without those that have ended. This is no use of them. */
  roles(sessionIds: readonly string[]): Promise<ReadonlyMap<string, OperatorRole>>
  /** Ends the session of a `Cookie` header. @returns the `Set-Cookie` header that deletes the cookie */
  end(cookieHeader: string | undefined): Promise<string>
}

const minuteMs = 60_000
const dayMs = 86_400_000
const maxUserAgentLength = 500

export function createSessions(deps: SessionsDeps): Sessions {
  const { sql, now, newId, secrets, cookieScope, live } = deps
  const sessionMs = deps.sessionDays * dayMs
  const cookieOf = (token: string): string => sessionCookie(token, sessionMs / 1000, cookieScope)
  return {
    async start({ id, name, email, role }, { address, userAgent }) {
      const token = randomToken()
      const startsAt = now()
      await insertSession(sql, {
        id: newId(),
        tokenHash: secrets.hashToken(token),
        operatorId: id,
        address,
        userAgent: userAgent.slice(0, maxUserAgentLength),
        startsAt,
        expiresAt: new Date(startsAt.getTime() + sessionMs),
      })
      live.announce('access')
      const cookies = [cookieOf(token), deviceCookie(secrets.signDevice(email), cookieScope)]
      return { kind: 'signed in', operator: { id, name, email, role }, cookies }
    },
    async authenticate({ address, cookieHeader }) {
      const token = readSessionCookie(cookieHeader, cookieScope)
      const at = now()
      const found = token === null ? undefined : await findSession(sql, secrets.tokenHashes(token), at)
      if (token === null || found === undefined) throw operatorsError('CLEW_OPERATORS_SIGNED_OUT')
      const { tokenHash: stored, ...session } = found
      const tokenHash = secrets.hashToken(token)
      // The use is stored at most once a minute, or under a new root key; the cookie is renewed at most once a day.
      if (stored === tokenHash && at.getTime() - session.lastSeenAt.getTime() < minuteMs)
        return { session, cookie: null }
      const isDue = session.expiresAt.getTime() - at.getTime() < sessionMs - dayMs
      const expiresAt = isDue ? new Date(at.getTime() + sessionMs) : session.expiresAt
      await touchSession(sql, session.id, { tokenHash, at, address, expiresAt })
      return { session, cookie: isDue ? cookieOf(token) : null }
    },
    roles: (sessionIds) => findRoles(sql, sessionIds, now()),
    async end(cookieHeader) {
      const token = readSessionCookie(cookieHeader, cookieScope)
      if (token !== null) await deleteSession(sql, secrets.tokenHashes(token))
      live.announce('access')
      return expiredCookie(cookieScope)
    },
  }
}
