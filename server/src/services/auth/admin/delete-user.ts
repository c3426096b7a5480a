import { createHash } from 'node:crypto'
import type { AuthResponse, Call } from '../model/call.ts'
import type { UserRow } from '../model/user.ts'
import { traitsOf } from '../model/user.ts'
import { readFlag } from '../parse/body.ts'
import { administrator } from '../store/audit.ts'
import { deleteUser, forgetIdentity, forgetUser } from '../store/delete-user.ts'
import { clearOneTimeTokens } from '../store/one-time-tokens.ts'
import type { AdminDeps } from './deps.ts'

/** `DELETE /admin/users/{id}` (auth §18): the row goes, or stays without anything that says whose it was. */
export async function adminDeleteUser(deps: AdminDeps, call: Call, id: string): Promise<AuthResponse> {
  const { context } = call
  const admin = await deps.checkAdmin(context)
  const user = await deps.getUserOfPath(id, context)
  const isSoft = readFlag(call.body, 'should_soft_delete', false)
  await deps.database.change(context, async (sql) => {
    await deps.audit(sql, administrator(admin), ['user_deleted'], traitsOf(user))
    if (!isSoft) await deleteUser(sql, user.id)
    else if (user.deletedAt === null) {
      await clearOneTimeTokens(sql, user.id)
      await forgetUser(sql, planForgetting(user), deps.now())
      for (const { id: identityId, provider, provider_id } of user.identities)
        await forgetIdentity(sql, identityId, obscure(user.id, `${provider}:${provider_id}`), deps.now())
    }
  })
  return { status: 200, body: {} }
}

/** A text that cannot be read back, constant for a user. */
const obscure = (userId: string, text: string): string =>
  createHash('sha256').update(`${userId}${text}`).digest('base64url')

const phoneLength = 15

/** The texts in the place of a user's addresses. */
const planForgetting = (user: UserRow) => ({
  id: user.id,
  email: obscure(user.id, user.email ?? ''),
  phone: obscure(user.id, user.phone ?? '').slice(0, phoneLength),
  newEmail: obscure(user.id, user.newEmail ?? ''),
  newPhone: obscure(user.id, user.newPhone ?? '').slice(0, phoneLength),
})
