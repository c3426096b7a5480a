import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server'
import type { UserRow } from '../model/user.ts'
import type { NewCredential } from './credential.ts'

/** The two ceremonies of WebAuthn, for this application. */
export interface RelyingParty {
  /** @param residentKey whether the authenticator must be able to find the credential by itself (a passkey) */
  readonly begin: (
    user: UserRow,
    existing: readonly WebAuthnCredential[],
    options: { readonly residentKey: 'required' | 'discouraged' },
  ) => Promise<PublicKeyCredentialCreationOptionsJSON>
  /** Null when the answer is not good, whatever is wrong with it. */
  readonly register: (answer: unknown, challenge: string) => Promise<NewCredential | null>
  /** @param allowed the credentials that may answer; none for whichever the authenticator finds */
  readonly ask: (allowed: readonly WebAuthnCredential[]) => Promise<PublicKeyCredentialRequestOptionsJSON>
  /** The credential's new counter; null when the answer is not good. */
  readonly verify: (
    answer: unknown,
    challenge: string,
    credential: WebAuthnCredential,
  ) => Promise<{ readonly counter: number; readonly backedUp: boolean } | null>
}
