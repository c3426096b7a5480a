import { createFlowCode } from '../codes/one-time-tokens.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { type AuthorizeQuery, onceMore, parseAuthorizeQuery } from '../parse/authorize.ts'
import type { Departure, Provider } from '../providers/provider.ts'
import { type AuthCaller, findOwner } from '../sessions/caller.ts'
import { insertClientState, insertExternalFlow } from '../store/flows.ts'
import { findInvited } from '../store/users.ts'
import { tieToBrowser } from './browser.ts'

type AuthorizeCall = Pick<Call, 'work' | 'redirectTo'>

/** Where a user leaves to, and the cookie that ties the flow to the browser; null where a code does. */
interface Leaving {
  readonly url: string
  readonly cookie: string | null
}

/**
 * `GET /authorize` (auth §13): where to send a user who wants to sign in with a provider. Whatever is refused is
 * answered here, never by a redirect: nothing has been agreed with anybody yet.
 *
 * @throws validation_failed, user_not_found
 */
export async function authorize(parts: Parts, call: AuthorizeCall, query: URLSearchParams): Promise<Reply> {
  const parsed = parseAuthorizeQuery(query)
  const elsewhere = parsed.challenge === null ? ownAddress(parts, call.work, query) : null
  return redirect(elsewhere === null ? await depart(parts, call, parsed, null) : { url: elsewhere, cookie: null })
}

const redirect = ({ url, cookie }: Leaving): Reply => ({ status: 302, headers: { location: url, ...setting(cookie) } })

const setting = (cookie: string | null) => (cookie === null ? {} : { 'set-cookie': cookie })

/**
 * The same address at the host that the provider sends users back to, when the browser came by another name for it, as
 * `localhost`: a cookie of the one is none of the other. Asked once only, for a proxy may hide the name that was used.
 */
function ownAddress({ settings }: Parts, { headers }: Call['work'], query: URLSearchParams): string | null {
  const { host } = new URL(settings.externalUrl)
  if (headers.host === undefined || headers.host === host || query.has(onceMore)) return null
  return `${settings.externalUrl}/authorize?${query}&${onceMore}=true`
}

/** `GET /user/identities/authorize` (auth §14): the same for a user who adds a way to sign in. */
export async function authorizeIdentity(parts: Parts, call: AuthorizeCall, query: URLSearchParams): Promise<Reply> {
  const caller = await findOwner(parts, call.work)
  if (!parts.settings.enableManualLinking) throw authError('manual_linking_disabled')
  const leaving = await depart(parts, call, parseAuthorizeQuery(query), caller)
  return query.get('skip_http_redirect') === 'true'
    ? { status: 200, body: { url: leaving.url }, headers: setting(leaving.cookie) }
    : redirect(leaving)
}

async function depart(
  parts: Parts,
  { work, redirectTo }: AuthorizeCall,
  query: AuthorizeQuery,
  linking: AuthCaller | null,
): Promise<Leaving> {
  const { newId, settings } = parts
  const found = await parts.providers.find(query.provider, work)
  if ('kind' in found) throw authError('validation_failed', { message: `Unsupported provider: ${found.why}` })
  if (query.inviteToken !== '' && (await findInvited(parts.database.sql, query.inviteToken, work)) === undefined)
    throw authError('user_not_found/404', { message: 'User identified by token not found' })

  const state = newId()
  const departure = await leave(found, query, state)
  const now = parts.now()
  const comesBackByPost = new URL(departure.url).searchParams.get('response_mode') === 'form_post'
  const { externalUrl, flowStateExpirySeconds: maxAgeSeconds } = settings
  // Whoever exchanges the code proves that they began the flow.
  const tie = query.challenge === null ? tieToBrowser(state, { externalUrl, maxAgeSeconds, comesBackByPost }) : null
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
      nonceHash: tie?.nonceHash ?? null,
    }
    await insertExternalFlow(sql, flow, now, work)
  })
  return { url: departure.url, cookie: tie?.cookie ?? null }
}

async function leave(provider: Provider, { scopes, parameters }: AuthorizeQuery, state: string): Promise<Departure> {
  try {
    return await provider.depart({ state, scopes, parameters })
  } catch (cause) {
    throw authError('unexpected_failure', { message: `Unable to reach provider ${provider.name}`, cause })
  }
}
