import type { ServiceError } from '../../../ground/errors/service-error.ts'
import { hashToken } from '../../../ground/ids/tokens.ts'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import { createFlowCode } from '../codes/one-time-tokens.ts'
import type { Body, RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { readText } from '../parse/body.ts'
import { renderCode, renderImplicit } from '../render/location.ts'
import { tokenFields } from '../sessions/sessions.ts'
import { useOnce } from '../store/single-use.ts'
import { checkProviderEnabled } from './check-enabled.ts'
import type { FetchMetadata, SsoDeps } from './deps.ts'
import { ssoError } from './errors.ts'
import { type Assertion, parseAssertion, parseEnvelope } from './saml/assertion.ts'
import { acceptableUntil, faultOfAssertion, faultOfEnvelope } from './saml/check-assertion.ts'
import { describeUser } from './saml/describe-user.ts'
import { type IdpMetadata, isStale, parseMetadata } from './saml/metadata.ts'
import type { ServiceProvider } from './saml/service-provider.ts'
import { fulfilFlow, type RelayState, takeRelayState } from './store/flows.ts'
import { findProvider, type ProviderRow, renewMetadata } from './store/providers.ts'

/** Ourselves, and the reader of metadata. */
export interface AcsDeps {
  readonly self: ServiceProvider
  readonly fetchMetadata: FetchMetadata
}

/** A sign-in that a response belongs to. */
interface Attempt {
  readonly provider: ProviderRow
  /** Null when the provider began. */
  readonly requestId: string | null
  readonly redirectTo: string
  readonly flowId: string | null
}

/**
 * `POST /sso/saml/acs` (auth §17): consumes a provider's response and signs its user in.
 *
 * @returns the `Location` of the redirect
 * @throws  what the caller shows at the site's own address
 */
export async function consumeResponse(
  deps: SsoDeps,
  { self, fetchMetadata }: AcsDeps,
  body: Body,
  context: RequestContext,
): Promise<string> {
  const response = readText(body, 'SAMLResponse')
  const attempt = await findAttempt(deps, readText(body, 'RelayState'), response, context)
  const { provider, requestId } = attempt
  const metadata = await readMetadata(deps, fetchMetadata, provider, context)
  const assertion = await verifyResponse(deps, self, { response, requestId }, metadata)
  const user = describeUser(assertion, provider.attributeMapping)

  const outcome = await deps.retryOnDuplicate(() =>
    deps.outbox.changeAndSend<SignIn>(context, async (sql, post) => {
      const now = deps.now()
      const until = acceptableUntil(assertion, deps.settings.samlClockSkewSeconds)
      if (!(await useOnce(sql, 'saml', hashToken(`${provider.id} ${assertion.id}`), until, now)))
        throw invalid('it has been used before')
      const { redirectTo } = attempt
      const signIn = { provider: `sso:${provider.id}`, user, emailOptional: false }
      const account = await deps.resolveAccount(sql, signIn, { context, redirectTo }, post)
      if (account.kind === 'error') return account
      const notAfter = assertion.sessionNotOnOrAfter
      if (attempt.flowId !== null) {
        const code = createFlowCode()
        const flow = { id: attempt.flowId, userId: account.user.id, code, sessionNotAfter: notAfter }
        if (!(await fulfilFlow(sql, flow, now))) throw authError('flow_state_not_found')
        return { kind: 'location', location: renderCode(redirectTo, code) }
      }
      const issued = await deps.issueSession(sql, account.user, 'sso/saml', { notAfter })
      return { kind: 'location', location: renderImplicit(redirectTo, tokenFields(issued)) }
    }),
  )
  if (outcome.kind === 'error') throw outcome.error
  return outcome.location
}

type SignIn =
  | { readonly kind: 'location'; readonly location: string }
  | { readonly kind: 'error'; readonly error: ServiceError }

/** Which sign-in a response belongs to: the one its relay state stands for, or one that the provider began. */
async function findAttempt(
  deps: SsoDeps,
  relayState: string,
  response: string,
  context: RequestContext,
): Promise<Attempt> {
  if (isUuid(relayState)) {
    const relay = await takeRelay(deps, relayState, context)
    const provider = await findProvider(deps.database.for(context), { id: relay.providerId })
    if (provider === undefined) throw ssoError('saml_idp_not_found')
    checkProviderEnabled(provider)
    return { provider, requestId: relay.requestId, redirectTo: relay.redirectTo, flowId: relay.flowId }
  }
  if (relayState !== '' && !URL.canParse(relayState))
    throw authError('validation_failed', { message: 'SAML RelayState is not a valid UUID or URL' })
  if (response === '') throw authError('validation_failed', { message: 'SAMLResponse is missing' })
  const { issuer } = readEnvelope(response)
  const provider = issuer === '' ? undefined : await findProvider(deps.database.for(context), { entityId: issuer })
  if (provider === undefined) throw ssoError('saml_idp_not_found')
  checkProviderEnabled(provider)
  return { provider, requestId: null, redirectTo: deps.redirects.choose([relayState]), flowId: null }
}

/** In a transaction of its own: a relay state is used up whatever becomes of the response. */
async function takeRelay(deps: SsoDeps, id: string, context: RequestContext): Promise<RelayState> {
  const relay = await deps.database.change(context, (sql) => takeRelayState(sql, id))
  if (relay === undefined) throw ssoError('saml_relay_state_not_found')
  const endsAt = relay.createdAt.getTime() + deps.settings.samlRelayStateValiditySeconds * 1000
  if (deps.now().getTime() >= endsAt) throw ssoError('saml_relay_state_expired')
  return relay
}

/** The provider's metadata; read again when it is old and has an address. When that fails, the old serves on. */
async function readMetadata(
  deps: SsoDeps,
  fetchMetadata: FetchMetadata,
  provider: ProviderRow,
  context: RequestContext,
): Promise<IdpMetadata> {
  const known = parseMetadata(provider.metadataXml)
  const { metadataUrl } = provider
  if (metadataUrl === null || !isStale(known, provider.metadataReadAt, deps.now())) return known
  try {
    const { xml, metadata } = await fetchMetadata(metadataUrl)
    if (metadata.entityId !== known.entityId) return known
    await deps.database.change(context, (sql) => renewMetadata(sql, provider.id, xml, deps.now()))
    return metadata
  } catch {
    return known
  }
}

async function verifyResponse(
  deps: SsoDeps,
  self: ServiceProvider,
  { response, requestId }: { readonly response: string; readonly requestId: string | null },
  metadata: IdpMetadata,
): Promise<Assertion> {
  if (response === '') throw authError('validation_failed', { message: 'SAMLResponse is missing' })
  const { acsUrl, entityId } = self
  const outside = faultOfEnvelope(readEnvelope(response), { acsUrl, requestId })
  if (outside !== null) throw invalid(outside)
  const assertion = await verified(self, metadata, response)
  const fault = faultOfAssertion(assertion, {
    idpEntityId: metadata.entityId,
    entityId,
    acsUrl,
    requestId,
    now: deps.now(),
    clockSkewSeconds: deps.settings.samlClockSkewSeconds,
  })
  if (fault !== null) throw invalid(fault)
  return assertion
}

async function verified(self: ServiceProvider, metadata: IdpMetadata, response: string): Promise<Assertion> {
  try {
    return parseAssertion(await self.verify(metadata, response))
  } catch (cause) {
    throw invalid('its signature or its form is wrong', cause)
  }
}

function readEnvelope(response: string): ReturnType<typeof parseEnvelope> {
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(response))
    throw authError('validation_failed', { message: 'SAMLResponse is not a valid Base64 string' })
  try {
    return parseEnvelope(Buffer.from(response, 'base64').toString())
  } catch (cause) {
    throw authError('validation_failed', { message: 'SAMLResponse is not a valid XML SAML assertion', cause })
  }
}

const invalid = (why: string, cause?: unknown): Error =>
  authError('validation_failed', { message: `SAML Assertion is not valid: ${why}`, cause })
