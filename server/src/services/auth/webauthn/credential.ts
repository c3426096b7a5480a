import type {
  AuthenticatorTransportFuture,
  VerifiedRegistrationResponse,
  WebAuthnCredential,
} from '@simplewebauthn/server'
import type { StoredCredential } from '../model/stored-credential.ts'

/** A verified credential of an authenticator. */
export type NewCredential = NonNullable<VerifiedRegistrationResponse['registrationInfo']>

const known: readonly AuthenticatorTransportFuture[] = [
  'ble',
  'cable',
  'hybrid',
  'internal',
  'nfc',
  'smart-card',
  'usb',
]

/** The transports that are known; a client names them, so they are only hints. */
export const knownTransports = (names: readonly unknown[]): AuthenticatorTransportFuture[] =>
  known.filter((name) => names.includes(name))

export function storeCredential({ credential, aaguid, ...made }: NewCredential): StoredCredential {
  return {
    id: Buffer.from(credential.id, 'base64url').toString('base64'),
    publicKey: Buffer.from(credential.publicKey).toString('base64'),
    attestationType: made.fmt,
    transport: knownTransports(credential.transports ?? []),
    flags: {
      userPresent: true,
      userVerified: made.userVerified,
      backupEligible: made.credentialDeviceType === 'multiDevice',
      backupState: made.credentialBackedUp,
    },
    authenticator: {
      AAGUID: Buffer.from(aaguid.replaceAll('-', ''), 'hex').toString('base64'),
      signCount: credential.counter,
      cloneWarning: false,
      attachment: '',
    },
  }
}

export const loadCredential = (stored: StoredCredential): WebAuthnCredential => ({
  id: Buffer.from(stored.id, 'base64').toString('base64url'),
  publicKey: new Uint8Array(Buffer.from(stored.publicKey, 'base64')),
  counter: stored.authenticator.signCount,
  transports: knownTransports(stored.transport ?? []),
})
