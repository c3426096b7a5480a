import type { Sql } from '../../../engines/postgres/index.ts'
import { prepareMail } from '../codes/send-token.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { type Body, readObject, readText } from '../parse/body.ts'
import { parseMailAddress } from '../parse/mail-address.ts'
import { renderUser } from '../render/user.ts'
import { checkAdmin } from '../sessions/caller.ts'
import { administrator, insertAudit } from '../store/audit.ts'
import { findUserByEmail, insertIdentity, type UserRow } from '../store/users.ts'
import { audienceOf } from '../users/audience.ts'
import { duplicateOf } from '../users/contact-user.ts'
import { createUser, getUserRow } from '../users/new-user.ts'

/** `POST /invite` (auth §18): a user who has yet to agree, and the mail that asks them. */
export async function invite(parts: Parts, call: Call): Promise<Reply> {
  const { work, body } = call
  const admin = await checkAdmin(parts, work)
  const email = parseMailAddress(readText(body, 'email'), parts.settings)
  const data = readObject(body, 'data') ?? {}
  const existing = await findUserByEmail(parts.database.sql, email, work)
  if (existing?.emailConfirmedAt) throw authError('email_exists')
  try {
    return await parts.outbox.changeAndSend(work, async (sql, post) => {
      const user = existing ?? (await insertInvited(parts, sql, { email, passwordHash: '', data }, call))
      post(await prepareMail(parts, sql, user, 'invite', call, null))
      const audited = { newId: parts.newId, now: parts.now(), work }
      const traits = { user_id: user.id, user_email: email }
      await insertAudit(sql, administrator(admin), ['user_invited'], audited, traits)
      return { status: 200, body: renderUser(await getUserRow(sql, user.id, work)) }
    })
  } catch (cause) {
    throw duplicateOf(cause) === null ? cause : authError('email_exists', { cause })
  }
}

/** Adds a user that somebody else made, with the metadata as it was given. Runs inside the caller's transaction. */
export async function insertInvited(
  parts: Parts,
  sql: Sql,
  newcomer: { readonly email: string; readonly passwordHash: string; readonly data: Body },
  { work }: Pick<Call, 'work'>,
): Promise<UserRow> {
  const id = parts.newId()
  const user = {
    id,
    audience: audienceOf(work, parts.settings),
    role: parts.settings.jwtDefaultRole,
    email: newcomer.email,
    phone: null,
    passwordHash: newcomer.passwordHash,
    appMetadata: { provider: 'email', providers: ['email'] },
    userMetadata: newcomer.data,
    isAnonymous: false,
    emailConfirmedAt: null,
    phoneConfirmedAt: null,
  }
  await createUser(parts, sql, user, work)
  const data = { sub: id, email: newcomer.email, email_verified: false, phone_verified: false }
  await insertIdentity(sql, { id: parts.newId(), userId: id, provider: 'email', data }, parts.now(), work)
  return getUserRow(sql, id, work)
}
