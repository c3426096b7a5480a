import type { AddressSettings } from '../http/settings.ts'
import type { UserRow } from '../model/user.ts'
import { parseAssertion, parseAttestation } from './parse.ts'
import type { RelyingParty } from './relying-party.ts'
import type { WebauthnSettings } from './settings.ts'

/** Loaded by the first who needs it: with its certificates' parser it costs a start 100 ms and 20 MB. */
const library = () => import('@simplewebauthn/server')

/**
 * The relying party of the settings; what is not set follows from the site URL. User verification is preferred and attestation is
 * not asked for (auth §16).
 *
 * @see https://www.w3.org/TR/webauthn-3/#sctn-rp-operations
 */
export function createRelyingParty(settings: WebauthnSettings & Pick<AddressSettings, 'siteUrl'>): RelyingParty {
  const site = siteOf(settings.siteUrl)
  const rpID = settings.webauthnRpId ?? site.hostname
  const rpName = settings.webauthnRpDisplayName ?? rpID
  const origins = settings.webauthnRpOrigins.length === 0 ? [site.origin] : [...settings.webauthnRpOrigins]
  const timeout = settings.webauthnChallengeExpirySeconds * 1000
  return {
    async begin(user, existing, { residentKey }) {
      const { generateRegistrationOptions } = await library()
      return generateRegistrationOptions({
        rpID,
        rpName,
        userID: new TextEncoder().encode(user.id),
        userName: nameOf(user),
        userDisplayName: displayNameOf(user),
        timeout,
        attestationType: 'none',
        excludeCredentials: existing.map(({ id, transports }) => ({ id, transports: transports ?? [] })),
        authenticatorSelection: { residentKey, userVerification: 'preferred' },
      })
    },
    async register(answer, challenge) {
      const response = parseAttestation(answer)
      if (response === null) return null
      const expected = { expectedChallenge: challenge, expectedOrigin: origins, expectedRPID: rpID }
      const { verifyRegistrationResponse } = await library()
      // The library throws on whatever does not fit: for the caller it is one error.
      const made = await verifyRegistrationResponse({ response, ...expected, requireUserVerification: false }).catch(
        () => null,
      )
      return made?.verified === true ? made.registrationInfo : null
    },
    async ask(allowed) {
      const { generateAuthenticationOptions } = await library()
      return generateAuthenticationOptions({
        rpID,
        timeout,
        userVerification: 'preferred',
        ...(allowed.length === 0
          ? {}
          : { allowCredentials: allowed.map(({ id, transports }) => ({ id, transports: transports ?? [] })) }),
      })
    },
    async verify(answer, challenge, credential) {
      const response = parseAssertion(answer)
      if (response === null || response.id !== credential.id) return null
      const expected = { expectedChallenge: challenge, expectedOrigin: origins, expectedRPID: rpID, credential }
      const { verifyAuthenticationResponse } = await library()
      const seen = await verifyAuthenticationResponse({ response, ...expected, requireUserVerification: false }).catch(
        () => null,
      )
      if (seen?.verified !== true) return null
      return { counter: seen.authenticationInfo.newCounter, backedUp: seen.authenticationInfo.credentialBackedUp }
    },
  }
}

/** A browser binds credentials to names only: on this machine the application has one, whatever address it is started with. */
function siteOf(siteUrl: string): URL {
  const site = new URL(siteUrl)
  if (['127.0.0.1', '[::1]'].includes(site.hostname)) site.hostname = 'localhost'
  return site
}

const nameOf = (user: UserRow): string => user.email || user.phone || user.id

function displayNameOf(user: UserRow): string {
  const { name } = user.userMetadata
  return typeof name === 'string' && name !== '' ? name : nameOf(user)
}
