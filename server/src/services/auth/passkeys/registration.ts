import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { findMember, type Member } from '../factors/member.ts'
import { insertAudit } from '../store/audit.ts'
import { findPasskeys, insertPasskey, insertPasskeyChallenge } from '../store/passkeys.ts'
import { lockUser } from '../store/users.ts'
import { knownTransports } from '../webauthn/credential.ts'
import { ceremonyEnd, checkEnabled, checkLevel, loadPasskey, parseCeremony, takeChallenge } from './passkey.ts'

/** `POST /passkeys/registration/options` (auth §16). */
export async function beginRegistration(parts: Parts, { work }: Pick<Call, 'work'>): Promise<Reply> {
  const { user } = await findOwner(parts, work)
  const passkeys = await findPasskeys(parts.database.sql, user.id, work)
  if (passkeys.length >= parts.settings.passkeyMaxPerUser) throw authError('too_many_passkeys')
  const options = await parts.relyingParty.begin(user, passkeys.map(loadPasskey), { residentKey: 'required' })
  const id = parts.newId()
  const expiresAt = ceremonyEnd(parts)
  const challenge = { id, type: 'registration', userId: user.id, challenge: options.challenge, expiresAt } as const
  await parts.database.change(work, (sql) => insertPasskeyChallenge(sql, challenge, parts.now(), work))
  return {
    status: 200,
    body: { challenge_id: id, options, expires_at: Math.floor(expiresAt.getTime() / 1000) },
  }
}

/** `POST /passkeys/registration/verify`. */
export async function finishRegistration(parts: Parts, { body, work }: Call): Promise<Reply> {
  const { user } = await findOwner(parts, work)
  const { challengeId, credential } = parseCeremony(body)
  const wanted = { id: challengeId, type: 'registration', userId: user.id } as const
  const challenge = await takeChallenge(parts, wanted, work)
  const made = await parts.relyingParty.register(credential, challenge)
  if (made === null) throw authError('webauthn_verification_failed')

  const id = parts.newId()
  const now = parts.now()
  await parts.database.change(work, async (sql) => {
    // Locked, so that two ceremonies at once cannot both be the last that fits.
    await lockUser(sql, user.id, work)
    const passkeys = await findPasskeys(sql, user.id, work)
    if (passkeys.length >= parts.settings.passkeyMaxPerUser) throw authError('too_many_passkeys')
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
      work,
    )
    if (!isNew) throw authError('webauthn_credential_exists')
    await insertAudit(sql, user, ['passkey_created'], { newId: parts.newId, now, work }, { passkey_id: id })
  })
  return { status: 200, body: { id, created_at: now.toISOString() } }
}

/** Who may add a passkey: not anonymous, not of single sign-on, and of the second level where they have one. */
async function findOwner(parts: Parts, work: Call['work']): Promise<Member> {
  checkEnabled(parts)
  const member = await findMember(parts, work)
  if (member.user.isSsoUser) throw authError('validation_failed/422', { message: 'SSO users cannot register passkeys' })
  checkLevel(member)
  return member
}
