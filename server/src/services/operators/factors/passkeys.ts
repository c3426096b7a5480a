import type {
  AuthenticationResponseJSON,
  AuthenticatorTransportFuture,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Operator } from '../accounts/store.ts'

/** A stored passkey. */
export interface Passkey {
  readonly id: string
  readonly name: string
  /** Base64url. */
  readonly credentialId: string
  readonly publicKey: Buffer
  readonly signCount: number
  readonly transports: readonly string[]
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

/** The credential of a verified registration. */
export type NewPasskey = Pick<Passkey, 'credentialId' | 'publicKey' | 'signCount' | 'transports'>

/**
 * The two ceremonies of WebAuthn, for the console.
 *
 * @see https://www.w3.org/TR/webauthn-3/
 */
export interface Ceremonies {
  readonly registrationOptions: (
    operator: Operator,
    existing: readonly Passkey[],
  ) => Promise<PublicKeyCredentialCreationOptionsJSON>
  /** The new credential; null for a response that is malformed or wrong. */
  readonly verifyRegistration: (response: unknown, challenge: string) => Promise<NewPasskey | null>
  readonly authenticationOptions: (allowed: readonly Passkey[]) => Promise<PublicKeyCredentialRequestOptionsJSON>
  /** The passkey that signed, with its new counter; null for a response that is malformed or wrong. */
  readonly verifyAuthentication: (
    response: unknown,
    challenge: string,
    allowed: readonly Passkey[],
  ) => Promise<{ readonly passkey: Passkey; readonly signCount: number } | null>
}

/** Loaded at the first use: it costs a start 100 ms and 20 MB. */
const library = () => import('@simplewebauthn/server')

/**
 * The ceremonies for the console's address. Browsers bind passkeys to host names, not to IP addresses: a console on a
 * loopback address is reached as `localhost`.
 */
export function createCeremonies(consoleUrl: string, project: string): Ceremonies {
  const console = new URL(consoleUrl)
  if (['127.0.0.1', '[::1]'].includes(console.hostname)) console.hostname = 'localhost'
  const rpID = console.hostname
  const expected = { expectedOrigin: console.origin, expectedRPID: rpID, requireUserVerification: false }
  return {
    async registrationOptions({ id, email, name }, existing) {
      const { generateRegistrationOptions } = await library()
      return generateRegistrationOptions({
        rpID,
        rpName: `${project} · Clew`,
        userID: new TextEncoder().encode(id),
        userName: email,
        userDisplayName: name,
        attestationType: 'none',
        excludeCredentials: existing.map(asCredential),
        authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
      })
    },
    async verifyRegistration(answer, challenge) {
      const { verifyRegistrationResponse } = await library()
      // The library checks the type, and throws where it does not fit.
      const response = answer as RegistrationResponseJSON
      const verified = await verifyRegistrationResponse({ response, expectedChallenge: challenge, ...expected }).catch(
        () => null,
      )
      if (verified?.verified !== true) return null
      const { id, publicKey, counter, transports } = verified.registrationInfo.credential
      return { credentialId: id, publicKey: Buffer.from(publicKey), signCount: counter, transports: transports ?? [] }
    },
    async authenticationOptions(allowed) {
      const { generateAuthenticationOptions } = await library()
      return generateAuthenticationOptions({
        rpID,
        userVerification: 'preferred',
        allowCredentials: allowed.map(asCredential),
      })
    },
    async verifyAuthentication(answer, challenge, allowed) {
      const { verifyAuthenticationResponse } = await library()
      const response = answer as AuthenticationResponseJSON
      const passkey = allowed.find(({ credentialId }) => credentialId === response?.id)
      if (passkey === undefined) return null
      const { credentialId: id, publicKey, signCount: counter } = passkey
      const credential = { id, publicKey: new Uint8Array(publicKey), counter }
      const verified = await verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge,
        credential,
        ...expected,
      }).catch(() => null)
      return verified?.verified === true ? { passkey, signCount: verified.authenticationInfo.newCounter } : null
    },
  }
}

const asCredential = ({ credentialId, transports }: Passkey) => ({
  id: credentialId,
  // The names that the browser gave at registration.
  transports: transports as AuthenticatorTransportFuture[],
})
