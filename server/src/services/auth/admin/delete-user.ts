import { createHash } from 'node:crypto'
import type { Call, Parts, Reply } from '../deps.ts'
import { readFlag } from '../parse/body.ts'
import { checkAdmin } from '../sessions/caller.ts'
import { administrator, insertAudit } from '../store/audit.ts'
import { deleteUser, forgetIdentity, forgetUser } from '../store/delete-user.ts'
import { clearOneTimeTokens } from '../store/one-time-tokens.ts'
import type { UserRow } from '../store/users.ts'
import { getUserOfPath, traitsOf } from './find-user.ts'

/** `DELETE /admin/users/{id}` (auth §18): the row goes, or stays without anything that says whose it was. */
export async function adminDeleteUser(parts: Parts, call: Call, id: string): Promise<Reply> {
  const { work } = call
  const admin = await checkAdmin(parts, work)
  const user = await getUserOfPath(parts, id, work)
  const isSoft = readFlag(call.body, 'should_soft_delete', false)
  await parts.database.change(work, async (sql) => {
    const audited = { newId: parts.newId, now: parts.now(), work }
    await insertAudit(sql, administrator(admin), ['user_deleted'], audited, traitsOf(user))
    if (!isSoft) await deleteUser(sql, user.id, work)
    else if (user.deletedAt === null) {
      await clearOneTimeTokens(sql, user.id, work)
      await forgetUser(sql, planForgetting(user), parts.now(), work)
      for (const { id: identityId, provider, provider_id } of user.identities)
        await forgetIdentity(sql, identityId, obscure(user.id, `${provider}:${provider_id}`), parts.now(), work)
    }
  })
  return { status: 200, body: {} }
}

/** A text that cannot be read back, and is the same whenever the same user is forgotten. */
const obscure = (userId: string, text: string): string =>
  createHash('sha256').update(`${userId}${text}`).digest('base64url')

const phoneLength = 15

/** What stands in the place of a user's addresses. */
const planForgetting = (user: UserRow) => ({
  id: user.id,
  email: obscure(user.id, user.email ?? ''),
  phone: obscure(user.id, user.phone ?? '').slice(0, phoneLength),
  newEmail: obscure(user.id, user.newEmail ?? ''),
  newPhone: obscure(user.id, user.newPhone ?? '').slice(0, phoneLength),
})
