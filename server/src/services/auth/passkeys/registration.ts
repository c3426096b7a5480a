import type { AuthResponse, Call, RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import type { Member } from '../sessions/sessions.ts'
import { findPasskeys, insertPasskey, insertPasskeyChallenge } from '../store/passkeys.ts'
import { lockUser } from '../store/users.ts'
import { knownTransports } from '../webauthn/credential.ts'
import type { PasskeysDeps } from './deps.ts'
import { passkeyError } from './errors.ts'
import { ceremonyEnd, checkEnabled, checkLevel, loadPasskey, parseCeremony, takeChallenge } from './passkey.ts'

/** `POST /passkeys/registration/options` (auth §16). */
export async function beginRegistration(deps: PasskeysDeps, { context }: Pick<Call, 'context'>): Promise<AuthResponse> {
  const { user } = await findOwner(deps, context)
  const passkeys = await findPasskeys(deps.database.for(context), user.id)
  if (passkeys.length >= deps.settings.passkeyMaxPerUser) throw passkeyError('too_many_passkeys')
  const options = await deps.relyingParty.begin(user, passkeys.map(loadPasskey), { residentKey: 'required' })
  const id = deps.newId()
  const expiresAt = ceremonyEnd(deps)
  const challenge = { id, type: 'registration', userId: user.id, challenge: options.challenge, expiresAt } as const
  await deps.database.change(context, (sql) => insertPasskeyChallenge(sql, challenge, deps.now()))
  return {
    status: 200,
    body: { challenge_id: id, options, expires_at: Math.floor(expiresAt.getTime() / 1000) },
  }
}

/** `POST /passkeys/registration/verify`. */
export async function finishRegistration(deps: PasskeysDeps, { body, context }: Call): Promise<AuthResponse> {
  const { user } = await findOwner(deps, context)
  const { challengeId, credential } = parseCeremony(body)
  const wanted = { id: challengeId, type: 'registration', userId: user.id } as const
  const challenge = await takeChallenge(deps, wanted, context)
  const made = await deps.relyingParty.register(credential, challenge)
  if (made === null) throw passkeyError('webauthn_verification_failed')

  const id = deps.newId()
  const now = deps.now()
  await deps.database.change(context, async (sql) => {
    // Locked, so that two ceremonies at once cannot both be the last that fits.
    await lockUser(sql, user.id)
    const passkeys = await findPasskeys(sql, user.id)
    if (passkeys.length >= deps.settings.passkeyMaxPerUser) throw passkeyError('too_many_passkeys')
    const isNew = await insertPasskey(
      sql,
      {
        id,
        userId: user.id,
        credentialId: Buffer.from(made.credential.id, 'base64url'),
        publicKey: Buffer.from(made.credential.publicKey),
        attestationType: made.fmt,
        aaguid: made.aaguid,
        signCount: made.credential.counter,
        transports: knownTransports(made.credential.transports ?? []),
        backupEligible: made.credentialDeviceType === 'multiDevice',
        backedUp: made.credentialBackedUp,
      },
      now,
    )
    if (!isNew) throw passkeyError('webauthn_credential_exists')
    await deps.audit(sql, user, ['passkey_created'], { passkey_id: id })
  })
  return { status: 200, body: { id, created_at: now.toISOString() } }
}

/** The users who may add a passkey: not anonymous, not of single sign-on, and of the second level where they have one. */
async function findOwner(deps: PasskeysDeps, context: RequestContext): Promise<Member> {
  checkEnabled(deps)
  const member = await deps.findMember(context)
  if (member.user.isSsoUser) throw authError('validation_failed/422', { message: 'SSO users cannot register passkeys' })
  checkLevel(member)
  return member
}
