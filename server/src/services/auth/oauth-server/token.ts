import { createHash } from 'node:crypto'
import { equalInConstantTime } from '../../../ground/ids/constant-time.ts'
import { hashToken } from '../../../ground/ids/tokens.ts'
import { signToken } from '../../../ground/jwt/sign.ts'
import type { RequestWork } from '../../../ground/model/request.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError, oauthError } from '../errors.ts'
import { type Body, readText } from '../parse/body.ts'
import { isBanned } from '../sessions/caller.ts'
import { issueSession } from '../sessions/issue-session.ts'
import { refreshSession } from '../sessions/refresh.ts'
import { insertAudit } from '../store/audit.ts'
import { findUser, type UserRow } from '../store/users.ts'
import { idTokenClaims } from './claims.ts'
import { checkEnabled } from './clients.ts'
import { authenticateClient, parseCredentials } from './credentials.ts'
import { splitScopes } from './scopes.ts'
import { type AuthorizationRow, deleteAuthorization, lockAuthorizationByCode } from './store-authorizations.ts'
import type { ClientRow } from './store-clients.ts'

// RFC 6749 §5.1: nobody in between may keep what holds a token.
const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' } as const
const idTokenSeconds = 3600

/** `POST /oauth/token` (auth §20, RFC 6749 §4.1.3 and §6). */
export async function exchange(parts: Parts, call: Call): Promise<Reply> {
  checkEnabled(parts)
  const { body, work } = call
  const { authorization } = work.headers
  const credentials = parseCredentials(typeof authorization === 'string' ? authorization : undefined, body)
  const client = await authenticateClient(parts, credentials, work)
  const grantType = readText(body, 'grant_type')
  if (grantType === '') throw oauthError('invalid_request', 'grant_type is required')
  if (!client.grantTypes.includes(grantType))
    throw oauthError('unsupported_grant_type', `Client is not allowed to use grant type: ${grantType.slice(0, 100)}`)
  return grantType === 'refresh_token' ? refresh(parts, call, client) : exchangeCode(parts, body, client, work)
}

async function refresh(parts: Parts, call: Call, client: ClientRow): Promise<Reply> {
  if (readText(call.body, 'refresh_token') === '')
    throw oauthError('invalid_request', 'refresh_token is required for refresh_token grant')
  const reply = await refreshSession(parts, call, client.id)
  // Nothing about the user: the client reads that from the ID token and from userinfo.
  const { access_token, token_type, expires_in, refresh_token } = reply.body as Readonly<Record<string, unknown>>
  const body = { access_token, token_type, expires_in, refresh_token }
  return { status: 200, body, headers: { ...reply.headers, ...uncached } }
}

async function exchangeCode(parts: Parts, body: Body, client: ClientRow, work: RequestWork): Promise<Reply> {
  const code = readText(body, 'code')
  if (code === '') throw oauthError('invalid_request', 'code is required for authorization_code grant')
  return parts.database.change(work, async (sql) => {
    const request = await lockAuthorizationByCode(sql, hashToken(code), work)
    if (request === undefined) throw oauthError('invalid_grant', 'Invalid authorization code')
    checkExchange(request, body, client, parts.now())
    const user = request.userId === null ? undefined : await findUser(sql, request.userId, work)
    if (user === undefined) throw oauthError('invalid_grant', 'User not found for authorization code')
    if (isBanned(user, parts.now())) throw oauthError('access_denied', 'User is banned')

    await deleteAuthorization(sql, request.id, work)
    const { id: clientId } = client
    const issued = await issueSession(parts, sql, user, 'oauth_provider/authorization_code', work, {
      oauthClient: { id: clientId, scopes: request.scope },
    })
    const traits = { provider_type: 'oauth_provider_authorization_code', client_id: clientId }
    await insertAudit(sql, user, ['login'], { newId: parts.newId, now: parts.now(), work }, traits)
    return {
      status: 200,
      body: {
        access_token: issued.accessToken,
        token_type: 'bearer',
        expires_in: issued.expiresInSeconds,
        refresh_token: issued.refreshToken,
        ...(splitScopes(request.scope).includes('openid') ? { id_token: signIdToken(parts, user, request) } : {}),
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
  const given =
    request.challengeMethod === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier
  if (verifier === '' || !equalInConstantTime(given, request.challenge))
    throw oauthError('invalid_grant', 'PKCE verification failed')
}

/** An ID token can be checked by others only when it is signed by a key they can fetch. */
function signIdToken(parts: Parts, user: UserRow, request: AuthorizationRow): string {
  const { signing } = parts.keys
  if (signing.algorithm.startsWith('HS'))
    throw authError('unexpected_failure', { cause: new Error('An ID token needs an asymmetric signing key.') })
  const { settings } = parts
  const claims = idTokenClaims(user, {
    issuer: settings.jwtIssuer ?? settings.externalUrl,
    clientId: request.clientId,
    nonce: request.nonce,
    scopes: splitScopes(request.scope),
    now: parts.now(),
    lifetimeSeconds: idTokenSeconds,
  })
  return signToken(claims, signing)
}
