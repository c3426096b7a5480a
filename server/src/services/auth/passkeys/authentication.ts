import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { type Body, readObject, readText } from '../parse/body.ts'
import { isBanned } from '../sessions/caller.ts'
import { issueSession } from '../sessions/issue-session.ts'
import { insertAudit } from '../store/audit.ts'
import { findPasskeyByCredential, insertPasskeyChallenge, type PasskeyRow, usePasskey } from '../store/passkeys.ts'
import { findUser } from '../store/users.ts'
import { ceremonyEnd, checkEnabled, loadPasskey, parseCeremony, takeChallenge } from './passkey.ts'

/** `POST /passkeys/authentication/options` (auth §16): whichever passkey the authenticator finds may answer. */
export async function beginAuthentication(parts: Parts, { work }: Pick<Call, 'work'>): Promise<Reply> {
  checkEnabled(parts)
  const options = await parts.relyingParty.ask([])
  const id = parts.newId()
  const expiresAt = ceremonyEnd(parts)
  const challenge = { id, type: 'authentication', userId: null, challenge: options.challenge, expiresAt } as const
  await parts.database.change(work, (sql) => insertPasskeyChallenge(sql, challenge, parts.now(), work))
  return {
    status: 200,
    body: { challenge_id: id, options, expires_at: Math.floor(expiresAt.getTime() / 1000) },
  }
}

/** `POST /passkeys/authentication/verify`: a session of the first level. */
export async function finishAuthentication(parts: Parts, { body, work }: Call): Promise<Reply> {
  checkEnabled(parts)
  const { challengeId, credential } = parseCeremony(body)
  const wanted = { id: challengeId, type: 'authentication', userId: null } as const
  const challenge = await takeChallenge(parts, wanted, work)

  const passkey = await findAnswering(parts, credential, work)
  const used = passkey && (await parts.relyingParty.verify(credential, challenge, loadPasskey(passkey)))
  if (passkey === undefined || !used) throw authError('webauthn_verification_failed')
  const user = await findUser(parts.database.sql, passkey.userId, work)
  if (user === undefined) throw authError('webauthn_verification_failed')
  if (user.email && user.emailConfirmedAt === null) throw authError('email_not_confirmed/403')
  if (user.phone && user.phoneConfirmedAt === null) throw authError('phone_not_confirmed/403')
  if (isBanned(user, parts.now())) throw authError('user_banned')

  const now = parts.now()
  return parts.database.change(work, async (sql) => {
    const isOnce = await usePasskey(sql, passkey.id, { signCount: used.counter, backedUp: used.backedUp }, now, work)
    if (!isOnce) throw authError('webauthn_verification_failed')
    await insertAudit(sql, user, ['login'], { newId: parts.newId, now, work }, { passkey_id: passkey.id })
    return (await issueSession(parts, sql, user, 'passkey', work)).reply
  })
}

/** The passkey of an answer; the user it names, by its handle, must be the passkey's own. */
async function findAnswering(parts: Parts, credential: Body, work: Call['work']): Promise<PasskeyRow | undefined> {
  const id = Buffer.from(readText(credential, 'id'), 'base64url')
  const passkey = await findPasskeyByCredential(parts.database.sql, id, work)
  const handle = readText(readObject(credential, 'response') ?? {}, 'userHandle')
  return Buffer.from(handle, 'base64url').toString() === passkey?.userId ? passkey : undefined
}
