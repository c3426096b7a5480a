import type {
  AuthenticationResponseJSON,
  AuthenticatorTransportFuture,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Operator } from '../accounts/store.ts'

/** A passkey as it is kept. */
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

/** What a browser made. */
export type NewPasskey = Pick<Passkey, 'credentialId' | 'publicKey' | 'signCount' | 'transports'>

/** The two ceremonies of WebAuthn, for the console. */
export interface Ceremonies {
  readonly begin: (operator: Operator, existing: readonly Passkey[]) => Promise<PublicKeyCredentialCreationOptionsJSON>
  /** Null when the answer is not good, whatever is wrong with it. */
  readonly register: (answer: unknown, challenge: string) => Promise<NewPasskey | null>
  readonly ask: (allowed: readonly Passkey[]) => Promise<PublicKeyCredentialRequestOptionsJSON>
  /** The passkey that answered, with its new counter; null when the answer is not good. */
  readonly verify: (
    answer: unknown,
    challenge: string,
    allowed: readonly Passkey[],
  ) => Promise<{ readonly passkey: Passkey; readonly signCount: number } | null>
}

/** Loaded by the first who needs it: it costs a start 100 ms and 20 MB. */
const library = () => import('@simplewebauthn/server')

/**
 * Makes them for the console's address. A browser binds passkeys to names only: on this machine the console has one,
 * whatever address it was started with.
 */
export function createCeremonies(consoleUrl: string, project: string): Ceremonies {
  const console = new URL(consoleUrl)
  if (['127.0.0.1', '[::1]'].includes(console.hostname)) console.hostname = 'localhost'
  const rpID = console.hostname
  const expected = { expectedOrigin: console.origin, expectedRPID: rpID, requireUserVerification: false }
  return {
    async begin({ id, email, name }, existing) {
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
    async register(answer, challenge) {
      const { verifyRegistrationResponse } = await library()
      // The library checks the shape, and throws on whatever does not fit: for the caller it is all one refusal.
      const response = answer as RegistrationResponseJSON
      const made = await verifyRegistrationResponse({ response, expectedChallenge: challenge, ...expected }).catch(
        () => null,
      )
      if (made?.verified !== true) return null
      const { id, publicKey, counter, transports } = made.registrationInfo.credential
      return { credentialId: id, publicKey: Buffer.from(publicKey), signCount: counter, transports: transports ?? [] }
    },
    async ask(allowed) {
      const { generateAuthenticationOptions } = await library()
      return generateAuthenticationOptions({
        rpID,
        userVerification: 'preferred',
        allowCredentials: allowed.map(asCredential),
      })
    },
    async verify(answer, challenge, allowed) {
      const { verifyAuthenticationResponse } = await library()
      const response = answer as AuthenticationResponseJSON
      const passkey = allowed.find(({ credentialId }) => credentialId === response?.id)
      if (passkey === undefined) return null
      const { credentialId: id, publicKey, signCount: counter } = passkey
      const credential = { id, publicKey: new Uint8Array(publicKey), counter }
      const seen = await verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge,
        credential,
        ...expected,
      }).catch(() => null)
      return seen?.verified === true ? { passkey, signCount: seen.authenticationInfo.newCounter } : null
    },
  }
}

const asCredential = ({ credentialId, transports }: Passkey) => ({
  id: credentialId,
  // As the browser named them when the passkey was made.
  transports: transports as AuthenticatorTransportFuture[],
})
