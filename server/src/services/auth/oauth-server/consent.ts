import type { Sql } from '../../../engines/postgres/index.ts'
import { hashToken, randomToken } from '../../../ground/ids/tokens.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { canBeKept, readText } from '../parse/body.ts'
import { findOwner } from '../sessions/caller.ts'
import type { UserRow } from '../store/users.ts'
import { checkEnabled } from './clients.ts'
import { withParameters } from './redirect-uri.ts'
import { covers } from './scopes.ts'
import {
  type AuthorizationRow,
  approveAuthorization,
  bindAuthorization,
  closeAuthorization,
  lockAuthorization,
} from './store-authorizations.ts'
import { findClient } from './store-clients.ts'
import { findConsent, putConsent } from './store-consents.ts'

type Outcome = { readonly kind: 'reply'; readonly reply: Reply } | { readonly kind: 'expired' }

/**
 * `GET /oauth/authorizations/{id}` (auth §20): what the page shows that asks for consent. The request belongs to
 * the first user who looks; one that their consent covers already is answered at once.
 */
export async function describeAuthorization(
  parts: Parts,
  { work }: Pick<Call, 'work'>,
  authorizationId: string,
): Promise<Reply> {
  const user = await findResourceOwner(parts, work)
  return settle(parts, authorizationId, work, async (sql, request) => {
    checkPending(request)
    checkOwner(request, [null, user.id])
    if (request.userId === null) {
      await bindAuthorization(sql, request.id, user.id, work)
      const consent = await findConsent(sql, user.id, request.clientId, work)
      if (consent !== undefined && covers(consent, request.scope)) return approve(parts, sql, request, work)
    }
    const client = await findClient(sql, request.clientId, work)
    return {
      status: 200,
      body: {
        authorization_id: request.authorizationId,
        redirect_uri: request.redirectUri,
        client: {
          id: request.clientId,
          ...(client?.name ? { name: client.name } : {}),
          ...(client?.uri ? { uri: client.uri } : {}),
          ...(client?.logoUri ? { logo_uri: client.logoUri } : {}),
        },
        user: { id: user.id, ...(user.email ? { email: user.email } : {}) },
        scope: request.scope,
      },
    }
  })
}

/** `POST /oauth/authorizations/{id}/consent` (auth §20). */
export async function decideAuthorization(parts: Parts, { body, work }: Call, authorizationId: string): Promise<Reply> {
  const user = await findResourceOwner(parts, work)
  const action = readText(body, 'action')
  if (action !== 'approve' && action !== 'deny')
    throw authError('validation_failed', { message: "action must be 'approve' or 'deny'" })
  return settle(parts, authorizationId, work, async (sql, request) => {
    checkPending(request)
    checkOwner(request, [user.id])
    if (action === 'deny') {
      await closeAuthorization(sql, request.id, 'denied', work)
      return redirectTo(request, { error: 'access_denied', error_description: 'User denied the request' })
    }
    const { clientId, scope: scopes } = request
    await putConsent(sql, { id: parts.newId(), userId: user.id, clientId, scopes }, parts.now(), work)
    return approve(parts, sql, request, work)
  })
}

/**
 * The user who decides. Only in the application itself: a client that acts for a user must not agree to more in their
 * name. The page's origin, where a browser tells it, must be one that links may lead to.
 */
async function findResourceOwner(parts: Parts, work: Call['work']): Promise<UserRow> {
  checkEnabled(parts)
  const { user } = await findOwner(parts, work)
  const { origin } = work.headers
  if (typeof origin === 'string' && origin !== '' && !parts.redirects.isAllowed(origin))
    throw authError('validation_failed', { message: 'unauthorized request origin' })
  return user
}

/** Finds the request under lock; that it has expired is kept although the call is refused. */
async function settle(
  parts: Parts,
  authorizationId: string,
  work: Call['work'],
  body: (sql: Sql, request: AuthorizationRow) => Promise<Reply>,
): Promise<Reply> {
  if (!canBeKept(authorizationId)) throw authError('oauth_authorization_not_found')
  const outcome = await parts.database.change<Outcome>(work, async (sql) => {
    const request = await lockAuthorization(sql, authorizationId, work)
    if (request === undefined) throw authError('oauth_authorization_not_found')
    if (parts.now() <= request.expiresAt) return { kind: 'reply', reply: await body(sql, request) }
    await closeAuthorization(sql, request.id, 'expired', work)
    return { kind: 'expired' }
  })
  if (outcome.kind === 'expired') throw authError('oauth_authorization_not_found')
  return outcome.reply
}

function checkPending(request: AuthorizationRow): void {
  if (request.status !== 'pending')
    throw authError('validation_failed', { message: 'authorization request is no longer pending' })
}

/** To anybody else it is not there. */
function checkOwner(request: AuthorizationRow, owners: readonly (string | null)[]): void {
  if (!owners.includes(request.userId)) throw authError('oauth_authorization_not_found')
}

async function approve(parts: Parts, sql: Sql, request: AuthorizationRow, work: Call['work']): Promise<Reply> {
  const code = randomToken()
  await approveAuthorization(sql, request.id, hashToken(code), parts.now(), work)
  return redirectTo(request, { code })
}

const redirectTo = (request: AuthorizationRow, parameters: Readonly<Record<string, string>>): Reply => ({
  status: 200,
  body: { redirect_url: withParameters(request.redirectUri, { ...parameters, state: request.state }) },
})
