import type { WebAuthnCredential } from '@simplewebauthn/server'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { Body, RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { hasVerifiedFactor } from '../model/user.ts'
import { readObject, readText } from '../parse/body.ts'
import type { Member } from '../sessions/sessions.ts'
import { type PasskeyChallenge, type PasskeyRow, takePasskeyChallenge } from '../store/passkeys.ts'
import { knownTransports } from '../webauthn/credential.ts'
import type { PasskeysDeps } from './deps.ts'
import { passkeyError } from './errors.ts'

/** @throws passkey_disabled */
export function checkEnabled({ settings }: Pick<PasskeysDeps, 'settings'>): void {
  if (!settings.passkeyEnabled) throw passkeyError('passkey_disabled')
}

/** A user with a second factor needs it to add or remove a passkey. */
export function checkLevel({ user, session }: Member): void {
  if (hasVerifiedFactor(user) && session.aal === 'aal1')
    throw authError('insufficient_aal/403', {
      message: 'AAL2 session is required to manage passkeys when MFA is enabled',
    })
}

export const loadPasskey = (passkey: PasskeyRow): WebAuthnCredential => ({
  id: passkey.credentialId.toString('base64url'),
  publicKey: new Uint8Array(passkey.publicKey),
  counter: passkey.signCount,
  transports: knownTransports(passkey.transports),
})

/** A browser's answer to a ceremony; the credential is read by its verification. */
export function parseCeremony(body: Body): { readonly challengeId: string; readonly credential: Body } {
  const challengeId = readText(body, 'challenge_id')
  const credential = readObject(body, 'credential')
  if (challengeId === '') throw authError('validation_failed', { message: 'challenge_id is required' })
  if (credential === null) throw authError('validation_failed', { message: 'credential is required' })
  if (!isUuid(challengeId)) throw authError('validation_failed', { message: 'challenge_id must be a valid UUID' })
  return { challengeId, credential }
}

/**
 * Takes the challenge of a ceremony; it is used up, whatever follows.
 *
 * @throws webauthn_challenge_not_found, webauthn_challenge_expired
 */
export async function takeChallenge(
  deps: PasskeysDeps,
  wanted: Pick<PasskeyChallenge, 'id' | 'type' | 'userId'>,
  context: RequestContext,
): Promise<string> {
  const taken = await deps.database.change(context, (sql) => takePasskeyChallenge(sql, wanted))
  if (taken === undefined) throw passkeyError('webauthn_challenge_not_found')
  if (deps.now() > taken.expiresAt) throw passkeyError('webauthn_challenge_expired')
  return taken.challenge
}

/** When a ceremony that begins now is over. */
export const ceremonyEnd = (deps: PasskeysDeps): Date =>
  new Date(deps.now().getTime() + deps.settings.webauthnChallengeExpirySeconds * 1000)

/** A passkey as the protocol answers it. */
export const renderPasskey = (passkey: PasskeyRow): Readonly<Record<string, unknown>> => ({
  id: passkey.id,
  ...(passkey.friendlyName === '' ? {} : { friendly_name: passkey.friendlyName }),
  created_at: passkey.createdAt.toISOString(),
  ...(passkey.lastUsedAt === null ? {} : { last_used_at: passkey.lastUsedAt.toISOString() }),
})
