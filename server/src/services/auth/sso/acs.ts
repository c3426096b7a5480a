import type { ServiceError } from '../../../ground/errors/service-error.ts'
import { hashToken } from '../../../ground/ids/tokens.ts'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { RequestWork } from '../../../ground/model/request.ts'
import { createFlowCode } from '../codes/one-time-tokens.ts'
import type { Parts } from '../deps.ts'
import { authError } from '../errors.ts'
import { onceMore, resolveAccount } from '../external/account.ts'
import type { Body } from '../parse/body.ts'
import { readText } from '../parse/body.ts'
import { renderCode, renderImplicit } from '../render/location.ts'
import { issueSession, tokenFields } from '../sessions/issue-session.ts'
import { useOnce } from '../store/single-use.ts'
import { type Assertion, parseAssertion, parseEnvelope } from './assertion.ts'
import { checkProviderEnabled } from './begin.ts'
import { acceptableUntil, faultOfAssertion, faultOfEnvelope } from './check-assertion.ts'
import { describeUser } from './describe-user.ts'
import type { FetchMetadata } from './fetch-metadata.ts'
import { type IdpMetadata, isStale, parseMetadata } from './metadata.ts'
import type { ServiceProvider } from './service-provider.ts'
import { fulfilFlow, type RelayState, takeRelayState } from './store-flows.ts'
import { findProvider, type ProviderRow, renewMetadata } from './store-providers.ts'

/** What the consumer of assertions stands on. */
export interface AcsParts {
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
  parts: Parts,
  { self, fetchMetadata }: AcsParts,
  body: Body,
  work: RequestWork,
): Promise<string> {
  const response = readText(body, 'SAMLResponse')
  const attempt = await findAttempt(parts, readText(body, 'RelayState'), response, work)
  const { provider, requestId } = attempt
  const metadata = await readMetadata(parts, fetchMetadata, provider, work)
  const assertion = await verifyResponse(parts, self, { response, requestId }, metadata)
  const user = describeUser(assertion, provider.attributeMapping)

  const outcome = await onceMore(() =>
    parts.outbox.changeAndSend<SignIn>(work, async (sql, post) => {
      const now = parts.now()
      const until = acceptableUntil(assertion, parts.settings.samlClockSkewSeconds)
      if (!(await useOnce(sql, 'saml', hashToken(`${provider.id} ${assertion.id}`), until, now, work)))
        throw invalid('it has been used before')
      const { redirectTo } = attempt
      const signIn = { provider: `sso:${provider.id}`, user, emailOptional: false }
      const account = await resolveAccount(parts, sql, signIn, { work, redirectTo }, post)
      if (account.kind === 'refused') return account
      const notAfter = assertion.sessionNotOnOrAfter
      if (attempt.flowId !== null) {
        const code = createFlowCode()
        const flow = { id: attempt.flowId, userId: account.user.id, code, sessionNotAfter: notAfter }
        if (!(await fulfilFlow(sql, flow, now, work))) throw authError('flow_state_not_found')
        return { kind: 'location', location: renderCode(redirectTo, code) }
      }
      const issued = await issueSession(parts, sql, account.user, 'sso/saml', work, { notAfter })
      return { kind: 'location', location: renderImplicit(redirectTo, tokenFields(issued)) }
    }),
  )
  if (outcome.kind === 'refused') throw outcome.error
  return outcome.location
}

type SignIn =
  | { readonly kind: 'location'; readonly location: string }
  | { readonly kind: 'refused'; readonly error: ServiceError }

/** Which sign-in a response belongs to: the one its relay state stands for, or one that the provider began. */
async function findAttempt(parts: Parts, relayState: string, response: string, work: RequestWork): Promise<Attempt> {
  if (isUuid(relayState)) {
    const relay = await takeRelay(parts, relayState, work)
    const provider = await findProvider(parts.database.sql, { id: relay.providerId }, work)
    if (provider === undefined) throw authError('saml_idp_not_found')
    checkProviderEnabled(provider)
    return { provider, requestId: relay.requestId, redirectTo: relay.redirectTo, flowId: relay.flowId }
  }
  if (relayState !== '' && !URL.canParse(relayState))
    throw authError('validation_failed', { message: 'SAML RelayState is not a valid UUID or URL' })
  if (response === '') throw authError('validation_failed', { message: 'SAMLResponse is missing' })
  const { issuer } = readEnvelope(response)
  const provider = issuer === '' ? undefined : await findProvider(parts.database.sql, { entityId: issuer }, work)
  if (provider === undefined) throw authError('saml_idp_not_found')
  checkProviderEnabled(provider)
  return { provider, requestId: null, redirectTo: parts.redirects.choose([relayState]), flowId: null }
}

/** In a transaction of its own: a relay state is used up whatever becomes of the response. */
async function takeRelay(parts: Parts, id: string, work: RequestWork): Promise<RelayState> {
  const relay = await parts.database.change(work, (sql) => takeRelayState(sql, id, work))
  if (relay === undefined) throw authError('saml_relay_state_not_found')
  const endsAt = relay.createdAt.getTime() + parts.settings.samlRelayStateValiditySeconds * 1000
  if (parts.now().getTime() >= endsAt) throw authError('saml_relay_state_expired')
  return relay
}

/** The provider's metadata; read again when it is old and has an address. When that fails, the old serves on. */
async function readMetadata(
  parts: Parts,
  fetchMetadata: FetchMetadata,
  provider: ProviderRow,
  work: RequestWork,
): Promise<IdpMetadata> {
  const known = parseMetadata(provider.metadataXml)
  const { metadataUrl } = provider
  if (metadataUrl === null || !isStale(known, provider.metadataReadAt, parts.now())) return known
  try {
    const { xml, metadata } = await fetchMetadata(metadataUrl)
    if (metadata.entityId !== known.entityId) return known
    await parts.database.change(work, (sql) => renewMetadata(sql, provider.id, xml, parts.now(), work))
    return metadata
  } catch {
    return known
  }
}

async function verifyResponse(
  parts: Parts,
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
    now: parts.now(),
    clockSkewSeconds: parts.settings.samlClockSkewSeconds,
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
