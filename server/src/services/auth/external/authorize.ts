import { type AuthCaller, findOwner } from '../caller.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { createFlowCode } from '../one-time-tokens.ts'
import { type AuthorizeQuery, parseAuthorizeQuery } from '../parse/authorize.ts'
import type { Departure, Provider } from '../providers/provider.ts'
import { insertClientState, insertExternalFlow } from '../store/flows.ts'
import { findInvited } from '../store/users.ts'

type AuthorizeCall = Pick<Call, 'work' | 'redirectTo'>

/**
 * `GET /authorize` (contract §13): where to send a user who wants to sign in with a provider. Whatever is refused is
 * answered here, never by a redirect: nothing has been agreed with anybody yet.
 *
 * @throws validation_failed, user_not_found
 */
export async function authorize(parts: Parts, call: AuthorizeCall, query: URLSearchParams): Promise<string> {
  return depart(parts, call, parseAuthorizeQuery(query), null)
}

/** `GET /user/identities/authorize` (contract §14): the same for a user who adds a way to sign in. */
export async function authorizeIdentity(parts: Parts, call: AuthorizeCall, query: URLSearchParams): Promise<Reply> {
  const caller = await findOwner(parts, call.work)
  if (!parts.settings.enableManualLinking) throw authError('manual_linking_disabled')
  const url = await depart(parts, call, parseAuthorizeQuery(query), caller)
  return query.get('skip_http_redirect') === 'true'
    ? { status: 200, body: { url } }
    : { status: 302, headers: { location: url } }
}

async function depart(
  parts: Parts,
  { work, redirectTo }: AuthorizeCall,
  query: AuthorizeQuery,
  linking: AuthCaller | null,
): Promise<string> {
  const { newId } = parts
  const found = await parts.providers.find(query.provider, work)
  if ('kind' in found) throw authError('validation_failed', { message: `Unsupported provider: ${found.why}` })
  if (query.inviteToken !== '' && (await findInvited(parts.database.sql, query.inviteToken, work)) === undefined)
    throw authError('user_not_found/404', { message: 'User identified by token not found' })

  const state = newId()
  const departure = await leave(found, query, state)
  const now = parts.now()
  await parts.database.change(work, async (sql) => {
    const clientStateId = departure.kept === null ? null : newId()
    if (clientStateId !== null && departure.kept !== null)
      await insertClientState(
        sql,
        { id: clientStateId, provider: found.name, kept: departure.kept, createdAt: now },
        work,
      )
    const flow = {
      id: state,
      code: query.challenge === null ? null : createFlowCode(),
      provider: found.name,
      challenge: query.challenge,
      redirectTo,
      inviteToken: query.inviteToken === '' ? null : query.inviteToken,
      linkingTargetId: linking?.user.id ?? null,
      clientStateId,
      emailOptional: found.emailOptional,
    }
    await insertExternalFlow(sql, flow, now, work)
  })
  return departure.url
}

async function leave(provider: Provider, { scopes, parameters }: AuthorizeQuery, state: string): Promise<Departure> {
  try {
    return await provider.depart({ state, scopes, parameters })
  } catch (cause) {
    throw authError('unexpected_failure', { message: `Unable to reach provider ${provider.name}`, cause })
  }
}
