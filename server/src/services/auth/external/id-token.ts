import { createHash } from 'node:crypto'
import { equalInConstantTime } from '../../../ground/ids/constant-time.ts'
import type { AuthResponse, Call, RequestContext } from '../model/call.ts'
import { customPrefix } from '../model/custom-provider.ts'
import { authError, oauthError } from '../model/errors.ts'
import type { ProvidedUser } from '../model/provided-user.ts'
import { readFlag, readText } from '../parse/body.ts'
import { isProviderName, type ProviderName, providerNames } from '../providers/names.ts'
import { claimedIssuer, type IdToken, type Oidc } from '../providers/oidc.ts'
import type { IdTokenRules } from '../providers/provider.ts'
import { providerConfig } from '../providers/settings.ts'
import { findCustomProvider } from '../store/custom-providers.ts'
import type { ExternalDeps } from './deps.ts'
import { externalError } from './errors.ts'

/** The parameters of a call: an ID token that a native application got from a provider (auth §7). */
interface IdTokenCall {
  readonly idToken: string
  readonly provider: string
  readonly issuer: string
  readonly clientId: string
  readonly accessToken: string
  readonly nonce: string
}

/** The issuer and the audience that a token must have. */
interface IdTokenSource {
  /** As it will stand in identities. */
  readonly provider: string
  readonly oidc: Oidc
  readonly issuer: string
  readonly also: readonly string[]
  readonly discoveryUrl: string | null
  /** Clients whose tokens are for us. */
  readonly audiences: readonly string[]
  readonly skipsNonce: boolean
  readonly emailOptional: boolean
  readonly read: (token: IdToken) => ProvidedUser
}

/** `POST /token?grant_type=id_token` (auth §7): a session, or one more identity, for an ID token. */
export async function idTokenGrant(deps: ExternalDeps, call: Call): Promise<AuthResponse> {
  const { body, context } = call
  const request = parseIdTokenCall(call)
  const linking = readFlag(body, 'link_identity', false) ? await findCallerToLink(deps, context) : null
  const source = await findSource(deps, request, context)
  const token = await verifyIdToken(source, request)
  const signIn = { provider: source.provider, user: source.read(token), emailOptional: source.emailOptional }
  if (signIn.user.subject === '') throw oauthError('invalid request', 'Missing sub claim in id_token')
  checkAudience(token, source.audiences)
  if (!source.skipsNonce) checkNonce(token, request.nonce)

  const result = await deps.retryOnDuplicate(() =>
    deps.outbox.changeAndSend(context, async (sql, post) => {
      const outcome =
        linking === null
          ? await deps.resolveAccount(sql, signIn, call, post)
          : await deps.linkIdentity(sql, linking, signIn, call, post)
      return outcome.kind === 'error' ? outcome : deps.issueSession(sql, outcome.user, 'oauth')
    }),
  )
  // Thrown after the commit: the user whose address waits for a confirmation stays.
  if ('error' in result) throw result.error
  return result.reply
}

function parseIdTokenCall({ body }: Call): IdTokenCall {
  const request = {
    idToken: readText(body, 'id_token'),
    provider: readText(body, 'provider'),
    issuer: readText(body, 'issuer'),
    clientId: readText(body, 'client_id'),
    accessToken: readText(body, 'access_token'),
    nonce: readText(body, 'nonce'),
  }
  if (request.idToken === '') throw oauthError('invalid request', 'id_token required')
  if (request.provider === '' && (request.clientId === '' || request.issuer === ''))
    throw oauthError('invalid request', 'provider or client_id and issuer required')
  return request
}

async function findCallerToLink(deps: ExternalDeps, context: RequestContext): Promise<string> {
  if (context.headers.authorization === undefined)
    throw oauthError('invalid request', 'Linking requires a valid user access token in Authorization')
  return (await deps.findOwner(context)).user.id
}

async function findSource(deps: ExternalDeps, request: IdTokenCall, context: RequestContext): Promise<IdTokenSource> {
  const named = request.provider.toLowerCase()
  if (named.startsWith(customPrefix)) return customSource(deps, named, context)
  const name = isProviderName(named) ? named : providerOfIssuer(deps, request.issuer)
  const rules = name === null ? undefined : deps.providers.idTokenRules(name)
  return name !== null && rules !== undefined ? knownSource(deps, name, rules, request) : listedSource(deps, request)
}

/** The provider that an issuer is, where the call names only that. */
function providerOfIssuer(deps: ExternalDeps, issuer: string): ProviderName | null {
  if (issuer === '') return null
  const found = providerNames.find((name) => {
    const rules = deps.providers.idTokenRules(name)
    return rules?.isNamedBy(issuer, providerConfig(deps.settings, name).url)
  })
  return found ?? null
}

function knownSource(
  deps: ExternalDeps,
  provider: ProviderName,
  rules: IdTokenRules,
  request: IdTokenCall,
): IdTokenSource {
  const config = providerConfig(deps.settings, provider)
  const claimed = claimedIssuer(request.idToken)
  const expected = rules.issuer(claimed, config.url)
  if (expected === null)
    throw authError('validation_failed', { message: `Detected ID token issuer is not an issuer of ${provider}` })
  if (request.issuer !== '' && request.issuer !== expected.issuer && !expected.also?.includes(request.issuer))
    throw authError('validation_failed', { message: 'Provided issuer does not match ID token issuer' })
  if (!config.enabled)
    throw externalError('provider_disabled', { message: `Provider (issuer "${expected.issuer}") is not enabled` })
  return {
    provider,
    oidc: deps.providers.oidc.configured,
    issuer: expected.issuer,
    also: expected.also ?? [],
    discoveryUrl: null,
    audiences: config.clientId,
    skipsNonce: config.skipNonceCheck || rules.skipsNonce === true,
    emailOptional: config.emailOptional,
    read: rules.read,
  }
}

async function customSource(deps: ExternalDeps, identifier: string, context: RequestContext): Promise<IdTokenSource> {
  if (!deps.settings.customProvidersEnabled)
    throw authError('validation_failed', { message: 'Custom OAuth providers are disabled' })
  const custom = await findCustomProvider(deps.database.for(context), identifier)
  if (custom === undefined)
    throw authError('validation_failed', { message: `Custom provider "${identifier}" not found` })
  if (!custom.enabled)
    throw externalError('provider_disabled', { message: `Custom provider "${identifier}" is disabled` })
  if (custom.issuer === null)
    throw authError('validation_failed', { message: `Provider "${identifier}" is not an OIDC provider` })
  return {
    provider: identifier,
    oidc: deps.providers.oidc.custom,
    issuer: custom.issuer,
    also: [],
    discoveryUrl: custom.discoveryUrl,
    audiences: [custom.clientId, ...custom.acceptableClientIds],
    skipsNonce: custom.skipNonceCheck,
    emailOptional: custom.emailOptional,
    read: deps.providers.readUser,
  }
}

/** An issuer that is no provider, where the operator listed it: the call says for which client its tokens are. */
function listedSource(deps: ExternalDeps, { issuer, clientId, provider }: IdTokenCall): IdTokenSource {
  if (issuer === '' || clientId === '' || !deps.settings.externalAllowedIdTokenIssuers.includes(issuer))
    throw authError('validation_failed', { message: `Custom OIDC provider "${provider}" not allowed` })
  return {
    provider: issuer,
    oidc: deps.providers.oidc.configured,
    issuer,
    also: [],
    discoveryUrl: null,
    audiences: [clientId],
    skipsNonce: false,
    emailOptional: false,
    read: deps.providers.readUser,
  }
}

async function verifyIdToken(source: IdTokenSource, { idToken, accessToken }: IdTokenCall): Promise<IdToken> {
  const { issuer, also, discoveryUrl } = source
  try {
    return await source.oidc.verify(idToken, {
      issuer,
      also,
      discoveryUrl,
      audiences: null,
      accessToken: accessToken === '' ? null : accessToken,
    })
  } catch (cause) {
    throw oauthError('invalid request', 'Bad ID token', cause)
  }
}

function checkAudience(token: IdToken, audiences: readonly string[]): void {
  const { aud } = token
  const named = Array.isArray(aud) ? aud : aud === undefined ? [] : [aud]
  if (!audiences.some((audience) => audience !== '' && named.includes(audience)))
    throw oauthError('invalid request', `Unacceptable audience in id_token: [${named.join(' ')}]`)
}

/** The token has the nonce hashed, so that a stolen token does not tell the nonce. */
function checkNonce(token: IdToken, nonce: string): void {
  const expected = typeof token.nonce === 'string' ? token.nonce : ''
  if ((expected === '') !== (nonce === ''))
    throw oauthError('invalid request', 'Passed nonce and nonce in id_token should either both exist or not.')
  const hash = createHash('sha256').update(nonce).digest('hex')
  if (expected !== '' && !equalInConstantTime(hash, expected)) throw oauthError('invalid nonce', 'Nonces mismatch')
}
