import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { AuthResponse, Call, RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import type { UserRow } from '../model/user.ts'
import { userInfo } from './claims.ts'
import { checkEnabled } from './clients.ts'
import type { OAuthServerDeps } from './deps.ts'
import { oauthServerError } from './errors.ts'
import { splitScopes } from './scopes.ts'
import { listGrants, revokeConsent } from './store/consents.ts'

/** `GET /oauth/userinfo` (auth §20). */
export async function describeUser(deps: OAuthServerDeps, { context }: Pick<Call, 'context'>): Promise<AuthResponse> {
  checkEnabled(deps)
  const { user, session } = await deps.findCaller(context)
  return { status: 200, body: userInfo(user, splitScopes(session?.scopes ?? '')) }
}

/** `GET /user/oauth/grants` (auth §20): what the user has agreed to. */
export async function describeGrants(deps: OAuthServerDeps, { context }: Pick<Call, 'context'>): Promise<AuthResponse> {
  const user = await findGrantor(deps, context)
  const grants = await listGrants(deps.database.for(context), user.id)
  return {
    status: 200,
    body: grants.map((grant) => ({
      client: {
        id: grant.clientId,
        ...(grant.name === null ? {} : { name: grant.name }),
        ...(grant.uri === null ? {} : { uri: grant.uri }),
        ...(grant.logoUri === null ? {} : { logo_uri: grant.logoUri }),
      },
      scopes: splitScopes(grant.scopes),
      granted_at: grant.grantedAt.toISOString(),
    })),
  }
}

/** `DELETE /user/oauth/grants?client_id=` (auth §20): the client's sessions end with it. */
export async function revokeGrant(
  deps: OAuthServerDeps,
  { context }: Pick<Call, 'context'>,
  query: URLSearchParams,
): Promise<AuthResponse> {
  const user = await findGrantor(deps, context)
  const clientId = query.get('client_id') ?? ''
  if (clientId === '') throw authError('validation_failed', { message: 'client_id query parameter is required' })
  if (!isUuid(clientId)) throw authError('validation_failed', { message: 'invalid client_id format' })
  await deps.database.change(context, async (sql) => {
    const now = deps.now()
    if (!(await revokeConsent(sql, user.id, clientId, now))) throw oauthServerError('oauth_consent_not_found')
    const traits = { oauth_client_id: clientId, action: 'revoke_oauth_grant' }
    await deps.audit(sql, user, ['token_revoked'], traits)
  })
  return { status: 204 }
}

/** The user themselves: a client that acts for them has no business with what other clients may do. */
async function findGrantor(deps: OAuthServerDeps, context: RequestContext): Promise<UserRow> {
  const { user } = await deps.findOwner(context)
  checkEnabled(deps)
  return user
}
