import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { findCaller, findOwner } from '../sessions/caller.ts'
import { insertAudit } from '../store/audit.ts'
import type { UserRow } from '../store/users.ts'
import { userInfo } from './claims.ts'
import { checkEnabled } from './clients.ts'
import { splitScopes } from './scopes.ts'
import { listGrants, revokeConsent } from './store-consents.ts'

/** `GET /oauth/userinfo` (auth §20). */
export async function describeUser(parts: Parts, { work }: Pick<Call, 'work'>): Promise<Reply> {
  checkEnabled(parts)
  const { user, session } = await findCaller(parts, work)
  return { status: 200, body: userInfo(user, splitScopes(session?.scopes ?? '')) }
}

/** `GET /user/oauth/grants` (auth §20): what the user has agreed to. */
export async function describeGrants(parts: Parts, { work }: Pick<Call, 'work'>): Promise<Reply> {
  const user = await findGrantor(parts, work)
  const grants = await listGrants(parts.database.sql, user.id, work)
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
export async function revokeGrant(parts: Parts, { work }: Pick<Call, 'work'>, query: URLSearchParams): Promise<Reply> {
  const user = await findGrantor(parts, work)
  const clientId = query.get('client_id') ?? ''
  if (clientId === '') throw authError('validation_failed', { message: 'client_id query parameter is required' })
  if (!isUuid(clientId)) throw authError('validation_failed', { message: 'invalid client_id format' })
  await parts.database.change(work, async (sql) => {
    const now = parts.now()
    if (!(await revokeConsent(sql, user.id, clientId, now, work))) throw authError('oauth_consent_not_found')
    const traits = { oauth_client_id: clientId, action: 'revoke_oauth_grant' }
    await insertAudit(sql, user, ['token_revoked'], { newId: parts.newId, now, work }, traits)
  })
  return { status: 204 }
}

/** The user themselves: a client that acts for them has no business with what other clients may do. */
async function findGrantor(parts: Parts, work: Call['work']): Promise<UserRow> {
  const { user } = await findOwner(parts, work)
  checkEnabled(parts)
  return user
}
