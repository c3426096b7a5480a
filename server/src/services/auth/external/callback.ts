import { ServiceError } from '../../../ground/errors/service-error.ts'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { AccountOutcome } from '../identities/identities.ts'
import { findLinkingTarget } from '../identities/linking-target.ts'
import type { Post } from '../mails/outbox.ts'
import type { Call, RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import type { ExternalSignIn } from '../model/provided-user.ts'
import type { Provider, ProviderSignIn } from '../providers/provider.ts'
import { isApplicationError } from '../render/error.ts'
import { failureFields, renderCode, renderImplicit, renderProviderFailure } from '../render/location.ts'
import { tokenFields } from '../sessions/sessions.ts'
import type { RequestSql } from '../store/database.ts'
import { completeFlow, endFlow, findExternalFlow, type ReturningFlow, takeClientState } from '../store/flows.ts'
import { isTied, untie } from './browser.ts'
import type { ExternalDeps } from './deps.ts'
import { externalError } from './errors.ts'
import { acceptInvitation } from './invitation.ts'

type CallbackCall = Pick<Call, 'context'>

/** Where a user goes who came back from a provider. */
export interface CallbackResult {
  readonly location: string
  /** Makes the browser forget the flow's cookie; null where it had none. */
  readonly cookie: string | null
  /** The failure on our side or the provider's, for the log; null for success, and for the user's own doing. */
  readonly failure: ServiceError | null
}

/**
 * `/callback` (auth §13): a user comes back from a provider. Until the flow is known an error is thrown, as there is
 * nowhere to send it; after that everything ends in a redirect to where the flow was to lead.
 *
 * @param parameters of the query, or of the form that Apple posts
 * @throws           bad_oauth_callback, bad_oauth_state also when another browser began the flow, flow_state_already_used
 */
export async function callback(
  deps: ExternalDeps,
  { context }: CallbackCall,
  parameters: URLSearchParams,
): Promise<CallbackResult> {
  const flow = await findFlow(deps, parameters.get('state') ?? '', context)
  const { redirectTo } = flow
  const cookie = flow.nonceHash === null ? null : untie(flow.id, deps.settings.externalUrl)
  const providerError = parameters.get('error') ?? (parameters.has('denied') ? 'access_denied' : '')
  if (providerError !== '') {
    // Whatever a query says may stand in the answer to it, but not among the codes that are counted.
    context.errorCode = 'bad_oauth_callback'
    const fields = {
      error: providerError.slice(0, maxParameterLength),
      error_description: (parameters.get('error_description') ?? '').slice(0, maxParameterLength),
    }
    return { location: renderProviderFailure(redirectTo, fields), cookie, failure: null }
  }
  try {
    const signedIn = await exchange(deps, flow, parameters, context)
    return { location: await enter(deps, flow, signedIn, context), cookie, failure: null }
  } catch (error) {
    const serviceError = toServiceError(error)
    context.errorCode = serviceError.code
    const failure = serviceError.status >= 500 ? serviceError : null
    return { location: renderProviderFailure(redirectTo, failureFields(serviceError)), cookie, failure }
  }
}

const maxParameterLength = 1000

function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  // What a trigger of the application says is for its users (auth §3).
  const message = isApplicationError(error) ? { message: error.message } : {}
  return authError('unexpected_failure', { ...message, cause: error })
}

async function findFlow(deps: ExternalDeps, state: string, context: RequestContext): Promise<ReturningFlow> {
  if (state === '') throw externalError('bad_oauth_callback', { message: 'OAuth state parameter missing' })
  if (!isUuid(state)) throw externalError('bad_oauth_state', { message: 'OAuth state parameter is invalid' })
  const flow = await findExternalFlow(deps.database.for(context), state)
  if (flow === undefined) throw externalError('bad_oauth_state')
  if (isOver(deps, flow.createdAt)) throw externalError('bad_oauth_state', { message: 'OAuth state has expired' })
  if (flow.userId !== null) throw externalError('flow_state_already_used')
  // A state can be handed to another user, who would be signed in as, or link an identity to, the user who began.
  const { nonceHash } = flow
  if (
    nonceHash !== null &&
    !isTied({ id: flow.id, nonceHash }, deps.settings.externalUrl, String(context.headers.cookie ?? ''))
  )
    throw externalError('bad_oauth_state', { message: 'OAuth state was begun in another browser' })
  return flow
}

const isOver = ({ settings, now }: ExternalDeps, createdAt: Date): boolean =>
  now().getTime() > createdAt.getTime() + settings.flowStateExpirySeconds * 1000

/** Asks the provider who came. */
async function exchange(
  deps: ExternalDeps,
  flow: ReturningFlow,
  parameters: URLSearchParams,
  context: RequestContext,
): Promise<ProviderSignIn> {
  const provider = await deps.providers.find(flow.provider, context)
  if ('kind' in provider)
    throw externalError('oauth_provider_not_supported', { message: `Unsupported provider: ${provider.why}` })
  if (!parameters.get(provider.codeParameter)) throw externalError('bad_oauth_callback')
  const codeVerifier = await takeCodeVerifier(deps, flow, provider, context)
  try {
    const signedIn = await provider.exchange({ parameters, codeVerifier })
    if (signedIn.user.emails.length > 0 || flow.emailOptional) return signedIn
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw authError('unexpected_failure', { message: 'Error getting user profile from external provider', cause })
  }
  throw authError('unexpected_failure', { message: 'Error getting user email from external provider' })
}

async function takeCodeVerifier(
  deps: ExternalDeps,
  flow: ReturningFlow,
  provider: Provider,
  context: RequestContext,
): Promise<string | null> {
  const { clientStateId } = flow
  if (clientStateId === null) {
    if (provider.hasCodeVerifier) throw externalError('oauth_invalid_state')
    return null
  }
  const state = await deps.database.change(context, (sql) => takeClientState(sql, clientStateId))
  if (state === undefined) throw externalError('oauth_client_state_not_found')
  if (state.provider !== flow.provider)
    throw externalError('oauth_invalid_state', { message: 'OAuth provider mismatch' })
  if (isOver(deps, state.createdAt)) throw externalError('oauth_client_state_expired')
  return state.codeVerifier
}

/** Signs the user in who came, and ends the flow: of concurrent callbacks with one state one succeeds. */
async function enter(
  deps: ExternalDeps,
  flow: ReturningFlow,
  signedIn: ProviderSignIn,
  context: RequestContext,
): Promise<string> {
  const call = { context, redirectTo: flow.redirectTo }
  const signIn = { provider: flow.provider, user: signedIn.user, emailOptional: flow.emailOptional }
  const result = await deps.retryOnDuplicate(() =>
    deps.outbox.changeAndSend(context, async (sql, post) => {
      const outcome = await findAccount(deps, sql, flow, signIn, call, post)
      if (outcome.kind === 'error') return outcome
      return { kind: 'location', location: await finish(deps, sql, flow, outcome, signedIn, signIn, call) } as const
    }),
  )
  // Thrown after the commit: the user whose address waits for a confirmation stays.
  if (result.kind === 'error') throw result.error
  return result.location
}

function findAccount(
  deps: ExternalDeps,
  sql: RequestSql,
  flow: ReturningFlow,
  signIn: ExternalSignIn,
  call: Pick<Call, 'context' | 'redirectTo'>,
  post: Post,
): Promise<AccountOutcome> {
  if (flow.linkingTargetId !== null)
    return flow.challenge === null
      ? deps.linkIdentity(sql, flow.linkingTargetId, signIn, call, post)
      : findLinkingTarget(deps, sql, flow.linkingTargetId, signIn)
  if (flow.inviteToken !== null) return acceptInvitation(deps, sql, flow.inviteToken, signIn)
  return deps.resolveAccount(sql, signIn, call, post)
}

async function finish(
  deps: ExternalDeps,
  sql: RequestSql,
  flow: ReturningFlow,
  { user }: Extract<AccountOutcome, { kind: 'signed in' }>,
  { accessToken, refreshToken }: ProviderSignIn,
  signIn: ExternalSignIn,
  { redirectTo }: Pick<Call, 'redirectTo'>,
): Promise<string> {
  if (flow.challenge !== null) {
    // Linked to the user only when the client that began the flow exchanges its code.
    const pending = flow.linkingTargetId === null ? null : signIn
    const tokens = { id: flow.id, userId: user.id, accessToken, refreshToken, pending }
    if (!(await completeFlow(sql, tokens, deps.now()))) throw externalError('flow_state_already_used')
    return renderCode(redirectTo, flow.code ?? '')
  }
  if (!(await endFlow(sql, flow.id))) throw externalError('flow_state_already_used')
  const issued = await deps.issueSession(sql, user, 'oauth')
  return renderImplicit(redirectTo, {
    ...tokenFields(issued),
    provider_token: accessToken,
    ...(refreshToken === null ? {} : { provider_refresh_token: refreshToken }),
  })
}
