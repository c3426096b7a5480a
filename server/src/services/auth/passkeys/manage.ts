import { isUuid } from '../../../ground/ids/uuidv7.ts'
import type { AuthResponse, Call } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { readText } from '../parse/body.ts'
import { type Actor, administrator } from '../store/audit.ts'
import type { RequestSql } from '../store/database.ts'
import { deletePasskey, findPasskeys, renamePasskey } from '../store/passkeys.ts'
import type { PasskeysDeps } from './deps.ts'
import { checkEnabled, checkLevel, renderPasskey } from './passkey.ts'

const maxNameLength = 120

/** `GET /passkeys` (auth §16). */
export async function listPasskeys(deps: PasskeysDeps, { context }: Pick<Call, 'context'>): Promise<AuthResponse> {
  checkEnabled(deps)
  const { user } = await deps.findCaller(context)
  return { status: 200, body: (await findPasskeys(deps.database.for(context), user.id)).map(renderPasskey) }
}

/** `PATCH /passkeys/{id}`. */
export async function changePasskey(
  deps: PasskeysDeps,
  { body, context }: Call,
  passkeyId: string,
): Promise<AuthResponse> {
  checkEnabled(deps)
  const { user } = await deps.findMember(context)
  const id = parseId(passkeyId)
  const friendlyName = readText(body, 'friendly_name')
  if (friendlyName === '') throw authError('validation_failed', { message: 'friendly_name is required' })
  if (friendlyName.length > maxNameLength)
    throw authError('validation_failed', { message: `friendly_name must be ${maxNameLength} characters or less` })
  const now = deps.now()
  const passkey = await deps.database.change(context, async (sql) => {
    const renamed = await renamePasskey(sql, { id, userId: user.id, friendlyName }, now)
    if (renamed === undefined) throw notFound()
    await deps.audit(sql, user, ['passkey_updated'], { passkey_id: id })
    return renamed
  })
  return { status: 200, body: renderPasskey(passkey) }
}

/** `DELETE /passkeys/{id}`. */
export async function removePasskey(
  deps: PasskeysDeps,
  { context }: Pick<Call, 'context'>,
  passkeyId: string,
): Promise<AuthResponse> {
  checkEnabled(deps)
  const member = await deps.findMember(context)
  checkLevel(member)
  const id = parseId(passkeyId)
  await deps.database.change(context, (sql) => remove(deps, sql, member.user.id, id, member.user))
  return { status: 204 }
}

/** `GET /admin/users/{id}/passkeys` (auth §18). */
export async function listPasskeysAsAdmin(
  deps: PasskeysDeps,
  { context }: Pick<Call, 'context'>,
  userId: string,
): Promise<AuthResponse> {
  const { user } = await deps.findSubject(userId, context)
  checkEnabled(deps)
  return { status: 200, body: (await findPasskeys(deps.database.for(context), user.id)).map(renderPasskey) }
}

/** `DELETE /admin/users/{id}/passkeys/{pid}`. */
export async function removePasskeyAsAdmin(
  deps: PasskeysDeps,
  { context }: Pick<Call, 'context'>,
  userId: string,
  passkeyId: string,
): Promise<AuthResponse> {
  const { admin, user } = await deps.findSubject(userId, context)
  checkEnabled(deps)
  const id = parseId(passkeyId)
  await deps.database.change(context, (sql) => remove(deps, sql, user.id, id, administrator(admin)))
  return { status: 204 }
}

async function remove(deps: PasskeysDeps, sql: RequestSql, userId: string, id: string, actor: Actor): Promise<void> {
  if (!(await deletePasskey(sql, userId, id))) throw notFound()
  const traits = { user_id: userId, passkey_id: id }
  await deps.audit(sql, actor, ['passkey_deleted'], traits)
}

function parseId(text: string): string {
  if (!isUuid(text)) throw notFound()
  return text
}

const notFound = () => authError('validation_failed/404', { message: 'Passkey not found' })
