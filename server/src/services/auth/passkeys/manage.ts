import type { Sql } from '../../../engines/postgres/index.ts'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { findSubject } from '../factors/admin.ts'
import { findMember } from '../factors/member.ts'
import { readText } from '../parse/body.ts'
import { findCaller } from '../sessions/caller.ts'
import { type Actor, administrator, insertAudit } from '../store/audit.ts'
import { deletePasskey, findPasskeys, renamePasskey } from '../store/passkeys.ts'
import { checkEnabled, checkLevel, renderPasskey } from './passkey.ts'

const maxNameLength = 120

/** `GET /passkeys` (auth §16). */
export async function listPasskeys(parts: Parts, { work }: Pick<Call, 'work'>): Promise<Reply> {
  checkEnabled(parts)
  const { user } = await findCaller(parts, work)
  return { status: 200, body: (await findPasskeys(parts.database.sql, user.id, work)).map(renderPasskey) }
}

/** `PATCH /passkeys/{id}`. */
export async function changePasskey(parts: Parts, { body, work }: Call, passkeyId: string): Promise<Reply> {
  checkEnabled(parts)
  const { user } = await findMember(parts, work)
  const id = parseId(passkeyId)
  const friendlyName = readText(body, 'friendly_name')
  if (friendlyName === '') throw authError('validation_failed', { message: 'friendly_name is required' })
  if (friendlyName.length > maxNameLength)
    throw authError('validation_failed', { message: `friendly_name must be ${maxNameLength} characters or less` })
  const now = parts.now()
  const passkey = await parts.database.change(work, async (sql) => {
    const renamed = await renamePasskey(sql, { id, userId: user.id, friendlyName }, now, work)
    if (renamed === undefined) throw notFound()
    await insertAudit(sql, user, ['passkey_updated'], { newId: parts.newId, now, work }, { passkey_id: id })
    return renamed
  })
  return { status: 200, body: renderPasskey(passkey) }
}

/** `DELETE /passkeys/{id}`. */
export async function removePasskey(parts: Parts, { work }: Pick<Call, 'work'>, passkeyId: string): Promise<Reply> {
  checkEnabled(parts)
  const member = await findMember(parts, work)
  checkLevel(member)
  const id = parseId(passkeyId)
  await parts.database.change(work, (sql) => remove(parts, sql, member.user.id, id, member.user, work))
  return { status: 204 }
}

/** `GET /admin/users/{id}/passkeys` (auth §18). */
export async function listPasskeysAsAdmin(parts: Parts, { work }: Pick<Call, 'work'>, userId: string): Promise<Reply> {
  const { user } = await findSubject(parts, userId, work)
  checkEnabled(parts)
  return { status: 200, body: (await findPasskeys(parts.database.sql, user.id, work)).map(renderPasskey) }
}

/** `DELETE /admin/users/{id}/passkeys/{pid}`. */
export async function removePasskeyAsAdmin(
  parts: Parts,
  { work }: Pick<Call, 'work'>,
  userId: string,
  passkeyId: string,
): Promise<Reply> {
  const { admin, user } = await findSubject(parts, userId, work)
  checkEnabled(parts)
  const id = parseId(passkeyId)
  await parts.database.change(work, (sql) => remove(parts, sql, user.id, id, administrator(admin), work))
  return { status: 204 }
}

async function remove(
  parts: Parts,
  sql: Sql,
  userId: string,
  id: string,
  actor: Actor,
  work: Call['work'],
): Promise<void> {
  if (!(await deletePasskey(sql, userId, id, work))) throw notFound()
  const traits = { user_id: userId, passkey_id: id }
  await insertAudit(sql, actor, ['passkey_deleted'], { newId: parts.newId, now: parts.now(), work }, traits)
}

function parseId(text: string): string {
  if (!isUuid(text)) throw notFound()
  return text
}

const notFound = () => authError('validation_failed/404', { message: 'Passkey not found' })
