import type { Sql } from '../../engines/postgres/index.ts'
import { findCaller } from './caller.ts'
import type { Call, Parts, Reply } from './deps.ts'
import { applyEmail, prepareEmailChange } from './email-change.ts'
import { authError } from './errors.ts'
import { parseEmail } from './parse/address.ts'
import { type Body, readObject, readText } from './parse/body.ts'
import { type CodeChallenge, parseChallenge } from './parse/challenge.ts'
import { checkPassword } from './password-policy.ts'
import { renderUser } from './render/user.ts'
import type { PreparedMail } from './send-token.ts'
import { insertAudit } from './store/audit.ts'
import { clearOneTimeTokens } from './store/one-time-tokens.ts'
import { deleteSessions } from './store/sessions.ts'
import {
  findUser,
  findUserByEmail,
  lockUser,
  type Metadata,
  type UserChange,
  type UserRow,
  updateUser,
} from './store/users.ts'

/** `GET /user` (contract §11). */
export async function getUser(parts: Parts, call: Pick<Call, 'work'>): Promise<Reply> {
  const { user } = await findCaller(parts, call.work)
  return { status: 200, body: renderUser(user) }
}

/** `PUT /user` (contract §11): password, metadata, address. Fields that are not a user's to set are ignored. */
export async function changeUser(parts: Parts, call: Call): Promise<Reply> {
  const { body, work } = call
  const { user, session } = await findCaller(parts, work)
  const password = readText(body, 'password')
  const hasPassword = body.password !== undefined && body.password !== null
  const data = readObject(body, 'data')
  const address = readText(body, 'email')
  const email = address === '' ? '' : parseEmail(address)
  const newEmail = email !== '' && email !== user.email?.toLowerCase() ? email : null
  const challenge = parseChallenge(body)
  if (hasPassword) checkPassword(password, parts.settings)
  if (readObject(body, 'app_metadata') !== null && user.role !== 'service_role') throw authError('not_admin')
  const hasFactor = user.factors.some((factor) => factor.status === 'verified')
  if ((hasPassword || newEmail !== null) && hasFactor && session?.aal !== 'aal2') throw authError('insufficient_aal')
  if (hasPassword && user.isAnonymous && newEmail === null)
    throw authError('validation_failed/422', {
      message: 'Updating password of an anonymous user without an email or phone is not allowed',
    })
  if ((hasPassword || newEmail !== null) && user.isSsoUser) throw authError('user_sso_managed')
  if (newEmail !== null && (await findUserByEmail(parts.database.sql, newEmail, work)) !== undefined)
    throw authError('email_exists')
  if (hasPassword && user.passwordHash && (await parts.passwords.matches(password, user.passwordHash)))
    throw authError('same_password')
  const passwordHash = hasPassword ? await parts.passwords.hash(password) : undefined

  const { changed, mail } = await parts.database.change(work, async (sql) => {
    const now = parts.now()
    const current = await lockUser(sql, user.id, work)
    if (current === undefined) throw authError('user_not_found')
    const change: UserChange = {
      ...(passwordHash === undefined ? {} : { passwordHash }),
      ...(data === null ? {} : { userMetadata: mergeMetadata(current.userMetadata, data) }),
    }
    await updateUser(sql, user.id, change, now, work)
    const audited = { newId: parts.newId, now, work }
    if (passwordHash !== undefined) {
      // Whoever knew the old password is out, and no link that is under way can undo the change.
      await deleteSessions(sql, user.id, session === null ? 'all' : { except: session.id }, work)
      await clearOneTimeTokens(sql, user.id, work)
      await insertAudit(sql, user, ['user_updated_password'], audited)
    }
    await insertAudit(sql, user, ['user_modified'], audited)
    const mail = newEmail === null ? null : await changeEmail(parts, sql, current, newEmail, call, challenge)
    return { changed: await findUser(sql, user.id, work), mail }
  })
  await mail?.send()
  if (changed === undefined) throw authError('user_not_found')
  return { status: 200, body: renderUser(changed) }
}

/** An anonymous user gets a first address at once where none is confirmed; any other change is agreed to by mail. */
async function changeEmail(
  parts: Parts,
  sql: Sql,
  user: UserRow,
  email: string,
  call: Call,
  challenge: CodeChallenge | null,
): Promise<PreparedMail | null> {
  if (user.isAnonymous && !parts.settings.emailEnableConfirmations) {
    await applyEmail(parts, sql, user, email, call.work)
    return null
  }
  return prepareEmailChange(parts, sql, user, email, call, challenge)
}

/** Lays fields over others, one level deep; null takes a field away. */
export function mergeMetadata(current: Metadata, change: Body): Metadata {
  return Object.fromEntries(Object.entries({ ...current, ...change }).filter(([, value]) => value !== null))
}

/** `POST /logout?scope=…` (contract §12). */
export async function signOut(parts: Parts, call: Pick<Call, 'work'>, scope: string): Promise<Reply> {
  if (!['', 'global', 'local', 'others'].includes(scope))
    throw authError('validation_failed', { message: `Unsupported logout scope "${scope}"` })
  const { work } = call
  const { user, session } = await findCaller(parts, work)
  await parts.database.change(work, async (sql) => {
    const which =
      session === null || scope === '' || scope === 'global'
        ? 'all'
        : scope === 'local'
          ? { only: session.id }
          : { except: session.id }
    await deleteSessions(sql, user.id, which, work)
    await insertAudit(sql, user, ['logout'], { newId: parts.newId, now: parts.now(), work })
  })
  return { status: 204 }
}
