import type { Sql } from '../../engines/postgres/index.ts'
import { type AuthCaller, findCaller } from './caller.ts'
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
import { findUser, findUserByEmail, lockUser, type Metadata, type UserRow, updateUser } from './store/users.ts'

/** `GET /user` (contract §11). */
export async function getUser(parts: Parts, call: Pick<Call, 'work'>): Promise<Reply> {
  const { user } = await findCaller(parts, call.work)
  return { status: 200, body: renderUser(user) }
}

/** `PUT /user` (contract §11): password, metadata, address. Fields that are not a user's to set are ignored. */
export async function changeUser(parts: Parts, call: Call): Promise<Reply> {
  const { work } = call
  const caller = await findCaller(parts, work)
  const { user, session } = caller
  const wanted = parseChange(call.body, user)
  await checkChange(parts, caller, wanted, work)
  const { password, newEmail } = wanted
  const passwordHash = password === null ? null : await parts.passwords.hash(password)

  const { changed, mail } = await parts.database.change(work, async (sql) => {
    const now = parts.now()
    const audited = { newId: parts.newId, now, work }
    const locked = await lockUser(sql, user.id, work)
    if (locked === undefined) throw authError('user_not_found')
    const userMetadata = mergeMetadata(locked.userMetadata, wanted.data ?? {})
    await updateUser(sql, user.id, { userMetadata, ...(passwordHash === null ? {} : { passwordHash }) }, now, work)
    if (passwordHash !== null) {
      // Whoever knew the old password is out, and no link that is under way can undo the change.
      await deleteSessions(sql, user.id, session === null ? 'all' : { except: session.id }, work)
      await clearOneTimeTokens(sql, user.id, work)
      await insertAudit(sql, user, ['user_updated_password'], audited)
    }
    await insertAudit(sql, user, ['user_modified'], audited)
    const current = { ...locked, userMetadata }
    const mail = newEmail === null ? null : await changeEmail(parts, sql, current, newEmail, call, wanted.challenge)
    return { changed: await findUser(sql, user.id, work), mail }
  })
  await mail?.send()
  if (changed === undefined) throw authError('user_not_found')
  return { status: 200, body: renderUser(changed) }
}

/** What a user wants to be different; null where nothing is said, or where it is so already. */
interface WantedChange {
  readonly password: string | null
  readonly newEmail: string | null
  readonly data: Body | null
  readonly appMetadata: Body | null
  readonly challenge: CodeChallenge | null
}

function parseChange(body: Body, user: UserRow): WantedChange {
  const address = readText(body, 'email')
  const email = address === '' ? null : parseEmail(address)
  const password = readText(body, 'password')
  return {
    // An empty password is a wish too, and too short; one that is absent or null is none.
    password: body.password === undefined || body.password === null ? null : password,
    newEmail: email === user.email?.toLowerCase() ? null : email,
    data: readObject(body, 'data'),
    appMetadata: readObject(body, 'app_metadata'),
    challenge: parseChallenge(body),
  }
}

/** The contract's rules in its order (§11); whatever is refused is refused before anything is written. */
async function checkChange(
  parts: Parts,
  { user, session }: AuthCaller,
  { password, newEmail, appMetadata }: WantedChange,
  work: Call['work'],
): Promise<void> {
  if (password !== null) checkPassword(password, parts.settings)
  if (appMetadata !== null && user.role !== 'service_role') throw authError('not_admin')
  const touchesSecrets = password !== null || newEmail !== null
  const hasFactor = user.factors.some((factor) => factor.status === 'verified')
  if (touchesSecrets && hasFactor && session?.aal !== 'aal2') throw authError('insufficient_aal')
  if (password !== null && user.isAnonymous && newEmail === null)
    throw authError('validation_failed/422', {
      message: 'Updating password of an anonymous user without an email or phone is not allowed',
    })
  if (touchesSecrets && user.isSsoUser) throw authError('user_sso_managed')
  if (newEmail !== null && (await findUserByEmail(parts.database.sql, newEmail, work)) !== undefined)
    throw authError('email_exists')
  if (password !== null && user.passwordHash && (await parts.passwords.matches(password, user.passwordHash)))
    throw authError('same_password')
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
