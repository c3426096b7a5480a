import { randomToken } from '../../../ground/ids/tokens.ts'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { Call } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { parseAuthorizeRequest } from './authorize-request.ts'
import { checkEnabled } from './clients.ts'
import type { OAuthServerDeps } from './deps.ts'
import { oauthServerError } from './errors.ts'
import { withParameters } from './redirect-uri.ts'
import { insertAuthorization } from './store/authorizations.ts'
import { findClient } from './store/clients.ts'

/**
 * `GET /oauth/authorize` (auth §20): stores the request and leads to the page that asks its user. Until client and
 * address are known to belong together nothing is redirected; from then on every fault goes to the client.
 *
 * @returns the `Location` of the redirect
 * @throws  feature_disabled, validation_failed, oauth_client_not_found
 */
export async function authorize(
  deps: OAuthServerDeps,
  call: Pick<Call, 'context'>,
  query: URLSearchParams,
): Promise<string> {
  checkEnabled(deps)
  const { context } = call
  const { settings } = deps
  const clientId = query.get('client_id') ?? ''
  const redirectUri = query.get('redirect_uri') ?? ''
  if (clientId === '') throw authError('validation_failed', { message: 'client_id is required' })
  if (redirectUri === '') throw authError('validation_failed', { message: 'redirect_uri is required' })
  if (!isUuid(clientId)) throw oauthServerError('oauth_client_not_found/400', { message: 'invalid client_id format' })
  const client = await findClient(deps.database.for(context), clientId)
  if (client === undefined) throw oauthServerError('oauth_client_not_found/400')
  if (!client.redirectUris.includes(redirectUri))
    throw authError('validation_failed', { message: 'invalid redirect_uri' })

  const request = parseAuthorizeRequest(query, settings.oauthServerDefaultScope)
  if ('fault' in request)
    return withParameters(redirectUri, {
      error: 'invalid_request',
      error_description: request.fault,
      state: query.get('state') || null,
    })
  const now = deps.now()
  const authorizationId = randomToken(24)
  await deps.database.change(context, (sql) =>
    insertAuthorization(
      sql,
      {
        id: deps.newId(),
        authorizationId,
        clientId,
        redirectUri,
        scope: request.scope,
        state: request.state,
        resource: request.resource,
        nonce: request.nonce,
        challenge: request.challenge.challenge,
        challengeMethod: request.challenge.method,
        expiresAt: new Date(now.getTime() + settings.oauthServerAuthorizationTtlSeconds * 1000),
      },
      now,
    ),
  )
  const path = settings.oauthServerAuthorizationUrlPath.replace(/^\/*/, '/')
  return `${settings.siteUrl.replace(/\/+$/, '')}${path}?authorization_id=${authorizationId}`
}
