import type { Sql } from '../../../engines/postgres/index.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { Call, Parts } from '../deps.ts'
import { authError } from '../errors.ts'
import type { Post } from '../mails/outbox.ts'
import type { ExternalSignIn } from '../providers/provided-user.ts'
import type { Arrived, Provider } from '../providers/provider.ts'
import { isDatabaseRefusal } from '../render/error.ts'
import { failureFields, renderCode, renderImplicit, renderProviderFailure } from '../render/location.ts'
import { issueSession, tokenFields } from '../sessions/issue-session.ts'
import { completeFlow, endFlow, findExternalFlow, type ReturningFlow, takeClientState } from '../store/flows.ts'
import { type AccountOutcome, onceMore, resolveAccount } from './account.ts'
import { isTied, untie } from './browser.ts'
import { acceptInvitation } from './invitation.ts'
import { findLinkingTarget, linkIdentity } from './link-identity.ts'

type CallbackCall = Pick<Call, 'work'>

/** Where a user goes who came back from a provider. */
export interface CallbackResult {
  readonly location: string
  /** Makes the browser forget the flow's cookie; null where it had none. */
  readonly cookie: string | null
  /** What went wrong on our side or the provider's, for the log; null when nothing did, or only the user's own doing. */
  readonly failure: ServiceError | null
}

/**
 * `/callback` (auth §13): a user comes back from a provider. Until the flow is known a refusal is thrown, as there is
 * nowhere to send it; after that everything ends in a redirect to where the flow was to lead.
 *
 * @param parameters of the query, or of the form that Apple posts
 * @throws           bad_oauth_callback, bad_oauth_state also when another browser began the flow, flow_state_already_used
 */
export async function callback(
  parts: Parts,
  { work }: CallbackCall,
  parameters: URLSearchParams,
): Promise<CallbackResult> {
  const flow = await findFlow(parts, parameters.get('state') ?? '', work)
  const { redirectTo } = flow
  const cookie = flow.nonceHash === null ? null : untie(flow.id, parts.settings.externalUrl)
  const refused = parameters.get('error') ?? (parameters.has('denied') ? 'access_denied' : '')
  if (refused !== '') {
    // Whatever a query says may stand in the answer to it, but not among the codes that are counted.
    work.errorCode = 'bad_oauth_callback'
    const fields = {
      error: refused.slice(0, longestWord),
      error_description: (parameters.get('error_description') ?? '').slice(0, longestWord),
    }
    return { location: renderProviderFailure(redirectTo, fields), cookie, failure: null }
  }
  try {
    const arrived = await arrive(parts, flow, parameters, work)
    return { location: await enter(parts, flow, arrived, work), cookie, failure: null }
  } catch (error) {
    const refusal = refusalOf(error)
    work.errorCode = refusal.code
    const failure = refusal.status >= 500 ? refusal : null
    return { location: renderProviderFailure(redirectTo, failureFields(refusal)), cookie, failure }
  }
}

const longestWord = 1000

function refusalOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  // What a trigger of the application says is for its users (auth §3).
  const said = isDatabaseRefusal(error) ? { message: error.message } : {}
  return authError('unexpected_failure', { ...said, cause: error })
}

async function findFlow(parts: Parts, state: string, work: Call['work']): Promise<ReturningFlow> {
  if (state === '') throw authError('bad_oauth_callback', { message: 'OAuth state parameter missing' })
  if (!isUuid(state)) throw authError('bad_oauth_state', { message: 'OAuth state parameter is invalid' })
  const flow = await findExternalFlow(parts.database.sql, state, work)
  if (flow === undefined) throw authError('bad_oauth_state')
  if (isOver(parts, flow.createdAt)) throw authError('bad_oauth_state', { message: 'OAuth state has expired' })
  if (flow.userId !== null) throw authError('flow_state_already_used')
  // A state can be handed to somebody else, who would be signed in as, or give a way to sign in to, whoever began.
  const { nonceHash } = flow
  if (
    nonceHash !== null &&
    !isTied({ id: flow.id, nonceHash }, parts.settings.externalUrl, String(work.headers.cookie ?? ''))
  )
    throw authError('bad_oauth_state', { message: 'OAuth state was begun in another browser' })
  return flow
}

const isOver = ({ settings, now }: Parts, createdAt: Date): boolean =>
  now().getTime() > createdAt.getTime() + settings.flowStateExpirySeconds * 1000

/** Asks the provider who came. */
async function arrive(
  parts: Parts,
  flow: ReturningFlow,
  parameters: URLSearchParams,
  work: Call['work'],
): Promise<Arrived> {
  const provider = await parts.providers.find(flow.provider, work)
  if ('kind' in provider)
    throw authError('oauth_provider_not_supported', { message: `Unsupported provider: ${provider.why}` })
  if (!parameters.get(provider.answersWith)) throw authError('bad_oauth_callback')
  const kept = await takeKept(parts, flow, provider, work)
  try {
    const arrived = await provider.arrive({ parameters, kept })
    if (arrived.user.emails.length > 0 || flow.emailOptional) return arrived
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw authError('unexpected_failure', { message: 'Error getting user profile from external provider', cause })
  }
  throw authError('unexpected_failure', { message: 'Error getting user email from external provider' })
}

async function takeKept(
  parts: Parts,
  flow: ReturningFlow,
  provider: Provider,
  work: Call['work'],
): Promise<string | null> {
  const { clientStateId } = flow
  if (clientStateId === null) {
    if (provider.keeps) throw authError('oauth_invalid_state')
    return null
  }
  const state = await parts.database.change(work, (sql) => takeClientState(sql, clientStateId, work))
  if (state === undefined) throw authError('oauth_client_state_not_found')
  if (state.provider !== flow.provider) throw authError('oauth_invalid_state', { message: 'OAuth provider mismatch' })
  if (isOver(parts, state.createdAt)) throw authError('oauth_client_state_expired')
  return state.kept
}

/** Signs the user in who came, and ends the flow: of arrivals with one state at the same moment one gets in. */
async function enter(parts: Parts, flow: ReturningFlow, arrived: Arrived, work: Call['work']): Promise<string> {
  const call = { work, redirectTo: flow.redirectTo }
  const signIn = { provider: flow.provider, user: arrived.user, emailOptional: flow.emailOptional }
  const result = await onceMore(() =>
    parts.outbox.changeAndSend(work, async (sql, post) => {
      const outcome = await findAccount(parts, sql, flow, signIn, call, post)
      if (outcome.kind === 'refused') return outcome
      return { kind: 'location', location: await finish(parts, sql, flow, outcome, arrived, signIn, call) } as const
    }),
  )
  // Thrown after the commit: the user whose address waits for a confirmation is kept.
  if (result.kind === 'refused') throw result.error
  return result.location
}

function findAccount(
  parts: Parts,
  sql: Sql,
  flow: ReturningFlow,
  signIn: ExternalSignIn,
  call: Pick<Call, 'work' | 'redirectTo'>,
  post: Post,
): Promise<AccountOutcome> {
  if (flow.linkingTargetId !== null)
    return flow.challenge === null
      ? linkIdentity(parts, sql, flow.linkingTargetId, signIn, call, post)
      : findLinkingTarget(parts, sql, flow.linkingTargetId, signIn, call)
  if (flow.inviteToken !== null) return acceptInvitation(parts, sql, flow.inviteToken, signIn, call)
  return resolveAccount(parts, sql, signIn, call, post)
}

async function finish(
  parts: Parts,
  sql: Sql,
  flow: ReturningFlow,
  { user }: Extract<AccountOutcome, { kind: 'signed in' }>,
  { accessToken, refreshToken }: Arrived,
  signIn: ExternalSignIn,
  { work, redirectTo }: Pick<Call, 'work' | 'redirectTo'>,
): Promise<string> {
  if (flow.challenge !== null) {
    // Added to the user only when whoever began the flow exchanges its code.
    const pending = flow.linkingTargetId === null ? null : signIn
    const tokens = { id: flow.id, userId: user.id, accessToken, refreshToken, pending }
    if (!(await completeFlow(sql, tokens, parts.now(), work))) throw authError('flow_state_already_used')
    return renderCode(redirectTo, flow.code ?? '')
  }
  if (!(await endFlow(sql, flow.id, work))) throw authError('flow_state_already_used')
  const issued = await issueSession(parts, sql, user, 'oauth', work)
  return renderImplicit(redirectTo, {
    ...tokenFields(issued),
    provider_token: accessToken,
    ...(refreshToken === null ? {} : { provider_refresh_token: refreshToken }),
  })
}
