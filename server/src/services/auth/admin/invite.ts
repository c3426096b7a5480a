import type { AuthResponse, Body, Call } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import type { UserRow } from '../model/user.ts'
import { readObject, readText } from '../parse/body.ts'
import { parseMailAddress } from '../parse/mail-address.ts'
import { renderUser } from '../render/user.ts'
import { administrator } from '../store/audit.ts'
import type { RequestSql } from '../store/database.ts'
import { duplicateOf, findUserByEmail, getUserRow, insertIdentity } from '../store/users.ts'
import { audienceOf } from '../users/audience.ts'
import type { AdminDeps } from './deps.ts'

/** `POST /invite` (auth §18): a user who has yet to agree, and the mail that asks them. */
export async function invite(deps: AdminDeps, call: Call): Promise<AuthResponse> {
  const { context, body } = call
  const admin = await deps.checkAdmin(context)
  const email = parseMailAddress(readText(body, 'email'), deps.settings)
  const data = readObject(body, 'data') ?? {}
  const existing = await findUserByEmail(deps.database.for(context), email)
  if (existing?.emailConfirmedAt) throw authError('email_exists')
  try {
    return await deps.outbox.changeAndSend(context, async (sql, post) => {
      const user = existing ?? (await insertInvited(deps, sql, { email, passwordHash: '', data }))
      post(await deps.prepareMail(sql, user, 'invite', call, null))
      const traits = { user_id: user.id, user_email: email }
      await deps.audit(sql, administrator(admin), ['user_invited'], traits)
      return { status: 200, body: renderUser(await getUserRow(sql, user.id)) }
    })
  } catch (cause) {
    throw duplicateOf(cause) === null ? cause : authError('email_exists', { cause })
  }
}

/** Adds a user on behalf of an administrator, with the metadata of the call. Runs inside the caller's transaction. */
export async function insertInvited(
  deps: AdminDeps,
  sql: RequestSql,
  newcomer: { readonly email: string; readonly passwordHash: string; readonly data: Body },
): Promise<UserRow> {
  const id = deps.newId()
  const user = {
    id,
    audience: audienceOf(sql.context, deps.settings),
    role: deps.settings.jwtDefaultRole,
    email: newcomer.email,
    phone: null,
    passwordHash: newcomer.passwordHash,
    appMetadata: { provider: 'email', providers: ['email'] },
    userMetadata: newcomer.data,
    isAnonymous: false,
    emailConfirmedAt: null,
    phoneConfirmedAt: null,
  }
  await deps.createUser(sql, user)
  const data = { sub: id, email: newcomer.email, email_verified: false, phone_verified: false }
  await insertIdentity(sql, { id: deps.newId(), userId: id, provider: 'email', data }, deps.now())
  return getUserRow(sql, id)
}
