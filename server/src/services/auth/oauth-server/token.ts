import { createHash } from 'node:crypto'
import { equalInConstantTime } from '../../../ground/ids/constant-time.ts'
import { hashToken } from '../../../ground/ids/tokens.ts'
import { signToken } from '../../../ground/jwt/sign.ts'
import type { AuthResponse, Body, Call, RequestContext } from '../model/call.ts'
import { authError, oauthError } from '../model/errors.ts'
import type { UserRow } from '../model/user.ts'
import { isBanned } from '../model/user.ts'
import { readText } from '../parse/body.ts'
import { findUser } from '../store/users.ts'
import { idTokenClaims } from './claims.ts'
import { checkEnabled } from './clients.ts'
import { authenticateClient, parseCredentials } from './credentials.ts'
import type { OAuthServerDeps } from './deps.ts'
import { splitScopes } from './scopes.ts'
import { type AuthorizationRow, deleteAuthorization, lockAuthorizationByCode } from './store/authorizations.ts'
import type { ClientRow } from './store/clients.ts'

// RFC 6749 §5.1: no intermediary may cache what holds a token.
const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' } as const
const idTokenSeconds = 3600

/** `POST /oauth/token` (auth §20, RFC 6749 §4.1.3 and §6). */
export async function exchange(deps: OAuthServerDeps, call: Call): Promise<AuthResponse> {
  checkEnabled(deps)
  const { body, context } = call
  const { authorization } = context.headers
  const credentials = parseCredentials(typeof authorization === 'string' ? authorization : undefined, body)
  const client = await authenticateClient(deps, credentials, context)
  const grantType = readText(body, 'grant_type')
  if (grantType === '') throw oauthError('invalid_request', 'grant_type is required')
  if (!client.grantTypes.includes(grantType))
    throw oauthError('unsupported_grant_type', `Client is not allowed to use grant type: ${grantType.slice(0, 100)}`)
  return grantType === 'refresh_token' ? refresh(deps, call, client) : exchangeCode(deps, body, client, context)
}

async function refresh(deps: OAuthServerDeps, call: Call, client: ClientRow): Promise<AuthResponse> {
  if (readText(call.body, 'refresh_token') === '')
    throw oauthError('invalid_request', 'refresh_token is required for refresh_token grant')
  const reply = await deps.refreshSession(call, client.id)
  // Nothing about the user: the client reads that from the ID token and from userinfo.
  const { access_token, token_type, expires_in, refresh_token } = reply.body as Readonly<Record<string, unknown>>
  const body = { access_token, token_type, expires_in, refresh_token }
  return { status: 200, body, headers: { ...reply.headers, ...uncached } }
}

async function exchangeCode(
  deps: OAuthServerDeps,
  body: Body,
  client: ClientRow,
  context: RequestContext,
): Promise<AuthResponse> {
  const code = readText(body, 'code')
  if (code === '') throw oauthError('invalid_request', 'code is required for authorization_code grant')
  return deps.database.change(context, async (sql) => {
    const request = await lockAuthorizationByCode(sql, hashToken(code))
    if (request === undefined) throw oauthError('invalid_grant', 'Invalid authorization code')
    checkExchange(request, body, client, deps.now())
    const user = request.userId === null ? undefined : await findUser(sql, request.userId)
    if (user === undefined) throw oauthError('invalid_grant', 'User not found for authorization code')
    if (isBanned(user, deps.now())) throw oauthError('access_denied', 'User is banned')

    await deleteAuthorization(sql, request.id)
    const { id: clientId } = client
    const issued = await deps.issueSession(sql, user, 'oauth_provider/authorization_code', {
      oauthClient: { id: clientId, scopes: request.scope },
    })
    const traits = { provider_type: 'oauth_provider_authorization_code', client_id: clientId }
    await deps.audit(sql, user, ['login'], traits)
    return {
      status: 200,
      body: {
        access_token: issued.accessToken,
        token_type: 'bearer',
        expires_in: issued.expiresInSeconds,
        refresh_token: issued.refreshToken,
        ...(splitScopes(request.scope).includes('openid') ? { id_token: signIdToken(deps, user, request) } : {}),
      },
      headers: { ...issued.reply.headers, ...uncached },
    }
  })
}

/** The rules of an exchange: the right client, in time, with what only the beginner of the flow can know. */
function checkExchange(request: AuthorizationRow, body: Body, client: ClientRow, now: Date): void {
  if (now > request.expiresAt) throw oauthError('invalid_grant', 'Authorization code has expired')
  if (request.clientId !== client.id)
    throw oauthError('invalid_grant', 'Authorization code was not issued for this client')
  const resource = readText(body, 'resource')
  if (resource !== '' && resource !== request.resource)
    throw oauthError('invalid_grant', 'Authorization code resource does not match the resource parameter')
  const redirectUri = readText(body, 'redirect_uri')
  if (redirectUri !== '' && redirectUri !== request.redirectUri)
    throw oauthError('invalid_grant', 'Invalid redirect_uri')
  const verifier = readText(body, 'code_verifier')
  const derivedChallenge =
    request.challengeMethod === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier
  if (verifier === '' || !equalInConstantTime(derivedChallenge, request.challenge))
    throw oauthError('invalid_grant', 'PKCE verification failed')
}

/** An ID token can be checked by others only when it is signed by a key they can fetch. */
function signIdToken(deps: OAuthServerDeps, user: UserRow, request: AuthorizationRow): string {
  const { signing } = deps.keys
  if (signing.algorithm.startsWith('HS'))
    throw authError('unexpected_failure', { cause: new Error('An ID token needs an asymmetric signing key.') })
  const { settings } = deps
  const claims = idTokenClaims(user, {
    issuer: settings.jwtIssuer ?? settings.externalUrl,
    clientId: request.clientId,
    nonce: request.nonce,
    scopes: splitScopes(request.scope),
    now: deps.now(),
    lifetimeSeconds: idTokenSeconds,
  })
  return signToken(claims, signing)
}
