import { createFlowCode } from '../codes/one-time-tokens.ts'
import type { AuthResponse, Call, RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import type { Authorization, Provider } from '../providers/provider.ts'
import type { AuthCaller } from '../sessions/sessions.ts'
import { insertClientState, insertExternalFlow } from '../store/flows.ts'
import { findInvited } from '../store/users.ts'
import { type AuthorizeQuery, onceMore, parseAuthorizeQuery } from './authorize-query.ts'
import { tieToBrowser } from './browser.ts'
import type { ExternalDeps } from './deps.ts'
import { externalError } from './errors.ts'

type AuthorizeCall = Pick<Call, 'context' | 'redirectTo'>

/** Where a user is sent, and the cookie that ties the flow to the browser; null where a code does. */
interface Leaving {
  readonly url: string
  readonly cookie: string | null
}

/**
 * `GET /authorize` (auth §13): where to send a user who wants to sign in with a provider. Every error is
 * answered here, never by a redirect: nothing has been agreed with anybody yet.
 *
 * @throws validation_failed, user_not_found
 */
export async function authorize(
  deps: ExternalDeps,
  call: AuthorizeCall,
  query: URLSearchParams,
): Promise<AuthResponse> {
  const parsed = parseAuthorizeQuery(query)
  const elsewhere = parsed.challenge === null ? ownAddress(deps, call.context, query) : null
  return redirect(elsewhere === null ? await beginFlow(deps, call, parsed, null) : { url: elsewhere, cookie: null })
}

const redirect = ({ url, cookie }: Leaving): AuthResponse => ({
  status: 302,
  headers: { location: url, ...setting(cookie) },
})

const setting = (cookie: string | null) => (cookie === null ? {} : { 'set-cookie': cookie })

/**
 * This address at the host that the provider sends users back to, when the browser came by another name for it, as
 * `localhost`: a cookie of the one is none of the other. Asked once only, for a proxy may hide the name that was used.
 */
function ownAddress({ settings }: ExternalDeps, { headers }: RequestContext, query: URLSearchParams): string | null {
  const { host } = new URL(settings.externalUrl)
  if (headers.host === undefined || headers.host === host || query.has(onceMore)) return null
  return `${settings.externalUrl}/authorize?${query}&${onceMore}=true`
}

/** `GET /user/identities/authorize` (auth §14): the same for a user who adds a way to sign in. */
export async function authorizeIdentity(
  deps: ExternalDeps,
  call: AuthorizeCall,
  query: URLSearchParams,
): Promise<AuthResponse> {
  const caller = await deps.findOwner(call.context)
  if (!deps.settings.enableManualLinking) throw externalError('manual_linking_disabled')
  const leaving = await beginFlow(deps, call, parseAuthorizeQuery(query), caller)
  return query.get('skip_http_redirect') === 'true'
    ? { status: 200, body: { url: leaving.url }, headers: setting(leaving.cookie) }
    : redirect(leaving)
}

async function beginFlow(
  deps: ExternalDeps,
  { context, redirectTo }: AuthorizeCall,
  query: AuthorizeQuery,
  linking: AuthCaller | null,
): Promise<Leaving> {
  const { newId, settings } = deps
  const found = await deps.providers.find(query.provider, context)
  if ('kind' in found) throw authError('validation_failed', { message: `Unsupported provider: ${found.why}` })
  if (query.inviteToken !== '' && (await findInvited(deps.database.for(context), query.inviteToken)) === undefined)
    throw authError('user_not_found/404', { message: 'User identified by token not found' })

  const state = newId()
  const authorization = await leave(found, query, state)
  const now = deps.now()
  const comesBackByPost = new URL(authorization.url).searchParams.get('response_mode') === 'form_post'
  const { externalUrl, flowStateExpirySeconds: maxAgeSeconds } = settings
  // The exchange of the code proves who began the flow.
  const tie = query.challenge === null ? tieToBrowser(state, { externalUrl, maxAgeSeconds, comesBackByPost }) : null
  await deps.database.change(context, async (sql) => {
    const clientStateId = authorization.codeVerifier === null ? null : newId()
    if (clientStateId !== null && authorization.codeVerifier !== null)
      await insertClientState(sql, {
        id: clientStateId,
        provider: found.name,
        codeVerifier: authorization.codeVerifier,
        createdAt: now,
      })
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
      nonceHash: tie?.nonceHash ?? null,
    }
    await insertExternalFlow(sql, flow, now)
  })
  return { url: authorization.url, cookie: tie?.cookie ?? null }
}

async function leave(
  provider: Provider,
  { scopes, parameters }: AuthorizeQuery,
  state: string,
): Promise<Authorization> {
  try {
    return await provider.authorize({ state, scopes, parameters })
  } catch (cause) {
    throw authError('unexpected_failure', { message: `Unable to reach provider ${provider.name}`, cause })
  }
}
