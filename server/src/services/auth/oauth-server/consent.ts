import { hashToken, randomToken } from '../../../ground/ids/tokens.ts'
import type { AuthResponse, Call, RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import type { UserRow } from '../model/user.ts'
import { isStorable, readText } from '../parse/body.ts'
import type { RequestSql } from '../store/database.ts'
import { checkEnabled } from './clients.ts'
import type { OAuthServerDeps } from './deps.ts'
import { oauthServerError } from './errors.ts'
import { withParameters } from './redirect-uri.ts'
import { covers } from './scopes.ts'
import {
  type AuthorizationRow,
  approveAuthorization,
  bindAuthorization,
  closeAuthorization,
  lockAuthorization,
} from './store/authorizations.ts'
import { findClient } from './store/clients.ts'
import { findConsent, putConsent } from './store/consents.ts'

type Outcome = { readonly kind: 'reply'; readonly reply: AuthResponse } | { readonly kind: 'expired' }

/**
 * `GET /oauth/authorizations/{id}` (auth §20): what the page shows that asks for consent. The request belongs to
 * the first user who looks; one that their consent covers already is answered at once.
 */
export async function describeAuthorization(
  deps: OAuthServerDeps,
  { context }: Pick<Call, 'context'>,
  authorizationId: string,
): Promise<AuthResponse> {
  const user = await findResourceOwner(deps, context)
  return settle(deps, authorizationId, context, async (sql, request) => {
    checkPending(request)
    checkOwner(request, [null, user.id])
    if (request.userId === null) {
      await bindAuthorization(sql, request.id, user.id)
      const consent = await findConsent(sql, user.id, request.clientId)
      if (consent !== undefined && covers(consent, request.scope)) return approve(deps, sql, request)
    }
    const client = await findClient(sql, request.clientId)
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
export async function decideAuthorization(
  deps: OAuthServerDeps,
  { body, context }: Call,
  authorizationId: string,
): Promise<AuthResponse> {
  const user = await findResourceOwner(deps, context)
  const action = readText(body, 'action')
  if (action !== 'approve' && action !== 'deny')
    throw authError('validation_failed', { message: "action must be 'approve' or 'deny'" })
  return settle(deps, authorizationId, context, async (sql, request) => {
    checkPending(request)
    checkOwner(request, [user.id])
    if (action === 'deny') {
      await closeAuthorization(sql, request.id, 'denied')
      return redirectTo(request, { error: 'access_denied', error_description: 'User denied the request' })
    }
    const { clientId, scope: scopes } = request
    await putConsent(sql, { id: deps.newId(), userId: user.id, clientId, scopes }, deps.now())
    return approve(deps, sql, request)
  })
}

/**
 * The user who decides. Only in the application itself: a client that acts for a user must not agree to more in their
 * name. The page's origin, where a browser tells it, must be one that links may lead to.
 */
async function findResourceOwner(deps: OAuthServerDeps, context: RequestContext): Promise<UserRow> {
  checkEnabled(deps)
  const { user } = await deps.findOwner(context)
  const { origin } = context.headers
  if (typeof origin === 'string' && origin !== '' && !deps.redirects.isAllowed(origin))
    throw authError('validation_failed', { message: 'unauthorized request origin' })
  return user
}

/** Finds the request under lock; that it has expired is stored although the call fails. */
async function settle(
  deps: OAuthServerDeps,
  authorizationId: string,
  context: RequestContext,
  body: (sql: RequestSql, request: AuthorizationRow) => Promise<AuthResponse>,
): Promise<AuthResponse> {
  if (!isStorable(authorizationId)) throw oauthServerError('oauth_authorization_not_found')
  const outcome = await deps.database.change<Outcome>(context, async (sql) => {
    const request = await lockAuthorization(sql, authorizationId)
    if (request === undefined) throw oauthServerError('oauth_authorization_not_found')
    if (deps.now() <= request.expiresAt) return { kind: 'reply', reply: await body(sql, request) }
    await closeAuthorization(sql, request.id, 'expired')
    return { kind: 'expired' }
  })
  if (outcome.kind === 'expired') throw oauthServerError('oauth_authorization_not_found')
  return outcome.reply
}

function checkPending(request: AuthorizationRow): void {
  if (request.status !== 'pending')
    throw authError('validation_failed', { message: 'authorization request is no longer pending' })
}

/** To anybody else it is not there. */
function checkOwner(request: AuthorizationRow, owners: readonly (string | null)[]): void {
  if (!owners.includes(request.userId)) throw oauthServerError('oauth_authorization_not_found')
}

async function approve(deps: OAuthServerDeps, sql: RequestSql, request: AuthorizationRow): Promise<AuthResponse> {
  const code = randomToken()
  await approveAuthorization(sql, request.id, hashToken(code), deps.now())
  return redirectTo(request, { code })
}

const redirectTo = (request: AuthorizationRow, parameters: Readonly<Record<string, string>>): AuthResponse => ({
  status: 200,
  body: { redirect_url: withParameters(request.redirectUri, { ...parameters, state: request.state }) },
})
