import type { AuthResponse, Body, Call, RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { isBanned } from '../model/user.ts'
import { readObject, readText } from '../parse/body.ts'
import { findPasskeyByCredential, insertPasskeyChallenge, type PasskeyRow, usePasskey } from '../store/passkeys.ts'
import { findUser } from '../store/users.ts'
import type { PasskeysDeps } from './deps.ts'
import { passkeyError } from './errors.ts'
import { ceremonyEnd, checkEnabled, loadPasskey, parseCeremony, takeChallenge } from './passkey.ts'

/** `POST /passkeys/authentication/options` (auth §16): whichever passkey the authenticator finds may answer. */
export async function beginAuthentication(
  deps: PasskeysDeps,
  { context }: Pick<Call, 'context'>,
): Promise<AuthResponse> {
  checkEnabled(deps)
  const options = await deps.relyingParty.ask([])
  const id = deps.newId()
  const expiresAt = ceremonyEnd(deps)
  const challenge = { id, type: 'authentication', userId: null, challenge: options.challenge, expiresAt } as const
  await deps.database.change(context, (sql) => insertPasskeyChallenge(sql, challenge, deps.now()))
  return {
    status: 200,
    body: { challenge_id: id, options, expires_at: Math.floor(expiresAt.getTime() / 1000) },
  }
}

/** `POST /passkeys/authentication/verify`: a session of the first level. */
export async function finishAuthentication(deps: PasskeysDeps, { body, context }: Call): Promise<AuthResponse> {
  checkEnabled(deps)
  const { challengeId, credential } = parseCeremony(body)
  const wanted = { id: challengeId, type: 'authentication', userId: null } as const
  const challenge = await takeChallenge(deps, wanted, context)

  const passkey = await findAnswering(deps, credential, context)
  const used = passkey && (await deps.relyingParty.verify(credential, challenge, loadPasskey(passkey)))
  if (passkey === undefined || !used) throw passkeyError('webauthn_verification_failed')
  const user = await findUser(deps.database.for(context), passkey.userId)
  if (user === undefined) throw passkeyError('webauthn_verification_failed')
  if (user.email && user.emailConfirmedAt === null) throw passkeyError('email_not_confirmed/403')
  if (user.phone && user.phoneConfirmedAt === null) throw passkeyError('phone_not_confirmed/403')
  if (isBanned(user, deps.now())) throw authError('user_banned')

  const now = deps.now()
  return deps.database.change(context, async (sql) => {
    const isOnce = await usePasskey(sql, passkey.id, { signCount: used.counter, backedUp: used.backedUp }, now)
    if (!isOnce) throw passkeyError('webauthn_verification_failed')
    await deps.audit(sql, user, ['login'], { passkey_id: passkey.id })
    return (await deps.issueSession(sql, user, 'passkey')).reply
  })
}

/** The passkey of an answer; the user it names, by its handle, must be the passkey's own. */
async function findAnswering(
  deps: PasskeysDeps,
  credential: Body,
  context: RequestContext,
): Promise<PasskeyRow | undefined> {
  const id = Buffer.from(readText(credential, 'id'), 'base64url')
  const passkey = await findPasskeyByCredential(deps.database.for(context), id)
  const handle = readText(readObject(credential, 'response') ?? {}, 'userHandle')
  return Buffer.from(handle, 'base64url').toString() === passkey?.userId ? passkey : undefined
}
