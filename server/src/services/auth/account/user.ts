import type { Sql } from '../../../engines/postgres/index.ts'
import { applyEmail, prepareEmailChange } from '../codes/email-change.ts'
import { applyPhone } from '../codes/phone-change.ts'
import type { Sending } from '../codes/send-code.ts'
import { sendMessage } from '../codes/send-message.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import type { Post } from '../mails/outbox.ts'
import type { SmsChannel } from '../model/sms.ts'
import { parseEmail } from '../parse/address.ts'
import { type Body, readObject, readText } from '../parse/body.ts'
import { type CodeChallenge, parseChallenge } from '../parse/challenge.ts'
import { parseMailAddress } from '../parse/mail-address.ts'
import { parseChannel, parsePhone } from '../parse/phone.ts'
import { renderUser } from '../render/user.ts'
import { type AuthCaller, findCaller, isOfClient } from '../sessions/caller.ts'
import type { AuthSettings } from '../settings.ts'
import { insertAudit } from '../store/audit.ts'
import { clearOneTimeTokens } from '../store/one-time-tokens.ts'
import { deleteSessions } from '../store/sessions.ts'
import { findUserByEmail, findUserByPhone, lockUser, type Metadata, type UserRow, updateUser } from '../store/users.ts'
import { audienceOf } from '../users/audience.ts'
import { getUserRow } from '../users/new-user.ts'
import { checkPasswordChange } from './password-change.ts'

/** `GET /user` (auth §11). */
export async function getUser(parts: Parts, { work }: Pick<Call, 'work'>): Promise<Reply> {
  const { user } = await findCaller(parts, work)
  const { aud } = work.identity.kind === 'caller' ? work.identity.caller.claims : {}
  if (aud !== audienceOf(work, parts.settings))
    throw authError('validation_failed', { message: "Token audience doesn't match request audience" })
  return { status: 200, body: renderUser(user) }
}

/** `PUT /user` (auth §11): password, metadata, addresses. Fields that are not a user's to set are ignored. */
export async function changeUser(parts: Parts, call: Call): Promise<Reply> {
  const { work } = call
  const caller = await findCaller(parts, work)
  const wanted = parseChange(call.body, caller.user, parts.settings)
  await checkChange(parts, caller, wanted, work)
  const { password } = wanted
  if (password !== null) await checkPasswordChange(parts, caller, { ...wanted, password }, work)
  const passwordHash = password === null ? null : await parts.passwords.hash(password)

  const change = async (sql: Sql, post: Post): Promise<UserRow> => {
    const locked = await lockUser(sql, caller.user.id, work)
    if (locked === undefined) throw authError('user_not_found')
    const current = await changeOwn(parts, sql, locked, wanted, passwordHash, work)
    if (passwordHash !== null) await noteNewPassword(parts, sql, caller, work)
    await insertAudit(sql, current, ['user_modified'], { newId: parts.newId, now: parts.now(), work })
    if (wanted.newEmail !== null)
      await changeEmail(parts, { sql, post }, current, wanted.newEmail, call, wanted.challenge)
    if (wanted.newPhone !== null)
      await changePhone(parts, sql, await getUserRow(sql, current.id, work), wanted.newPhone, wanted.channel, work)
    return getUserRow(sql, current.id, work)
  }
  const changed =
    wanted.newEmail === null && wanted.newPhone === null
      ? await parts.database.change(work, (sql) => change(sql, () => undefined))
      : await parts.outbox.changeAndSend(work, change)
  return { status: 200, body: renderUser(changed) }
}

/** What a user wants to be different; null where nothing is said, or where it is so already. */
interface WantedChange {
  readonly password: string | null
  readonly currentPassword: string
  readonly nonce: string
  readonly newEmail: string | null
  readonly newPhone: string | null
  readonly channel: SmsChannel
  readonly data: Body | null
  readonly appMetadata: Body | null
  readonly challenge: CodeChallenge | null
}

function parseChange(body: Body, user: UserRow, settings: AuthSettings): WantedChange {
  const address = readText(body, 'email')
  const phone = readText(body, 'phone')
  const email = address === '' ? null : parseEmail(address)
  const newEmail = email === user.email?.toLowerCase() ? null : email
  const digits = phone === '' ? null : parsePhone(phone)
  return {
    // An empty password is a wish too, and too short; one that is absent or null is none.
    password: body.password === undefined || body.password === null ? null : readText(body, 'password'),
    currentPassword: readText(body, 'current_password'),
    nonce: readText(body, 'nonce'),
    newEmail: newEmail === null ? null : parseMailAddress(newEmail, settings),
    newPhone: digits === user.phone ? null : digits,
    channel: parseChannel(body, settings),
    data: readObject(body, 'data'),
    appMetadata: readObject(body, 'app_metadata'),
    challenge: parseChallenge(body),
  }
}

/** The rules of auth §11 in their order; whatever is refused is refused before anything is written. */
async function checkChange(
  parts: Parts,
  { user, session }: AuthCaller,
  { password, newEmail, newPhone, nonce, appMetadata }: WantedChange,
  work: Call['work'],
): Promise<void> {
  if (password !== null) await parts.passwordPolicy.check(password)
  if (appMetadata !== null && !parts.settings.jwtAdminRoles.includes(user.role ?? ''))
    throw authError('not_admin', { message: 'Updating app_metadata requires admin privileges' })
  const touchesSecrets = password !== null || newEmail !== null || newPhone !== null
  // To act for a user is not to take their account away.
  if (touchesSecrets && isOfClient({ session })) throw authError('no_authorization/403')
  const hasFactor = user.factors.some((factor) => factor.status === 'verified')
  if (touchesSecrets && hasFactor && session?.aal !== 'aal2') throw authError('insufficient_aal')
  if (password !== null && user.isAnonymous && newEmail === null && newPhone === null)
    throw authError('validation_failed/422', {
      message: 'Updating password of an anonymous user without an email or phone is not allowed',
    })
  if ((touchesSecrets || nonce !== '') && user.isSsoUser) throw authError('user_sso_managed')
  if (newEmail !== null && (await findUserByEmail(parts.database.sql, newEmail, work)) !== undefined)
    throw authError('email_exists')
  if (newPhone !== null && (await findUserByPhone(parts.database.sql, newPhone, work)) !== undefined)
    throw authError('phone_exists')
}

/** What needs nobody's agreement: metadata and password. */
async function changeOwn(
  parts: Parts,
  sql: Sql,
  user: UserRow,
  { data, appMetadata }: WantedChange,
  passwordHash: string | null,
  work: Call['work'],
): Promise<UserRow> {
  const metadata = {
    userMetadata: mergeMetadata(user.userMetadata, data ?? {}),
    appMetadata: mergeMetadata(user.appMetadata, appMetadata ?? {}),
  }
  await updateUser(sql, user.id, { ...metadata, ...(passwordHash === null ? {} : { passwordHash }) }, parts.now(), work)
  return { ...user, ...metadata }
}

/** Whoever knew the old password is out, and no link that is under way can undo the change. */
async function noteNewPassword(
  parts: Parts,
  sql: Sql,
  { user, session }: AuthCaller,
  work: Call['work'],
): Promise<void> {
  await deleteSessions(sql, user.id, session === null ? 'all' : { except: session.id }, work)
  await clearOneTimeTokens(sql, user.id, work)
  await insertAudit(sql, user, ['user_updated_password'], { newId: parts.newId, now: parts.now(), work })
  parts.outbox.notify(sql, 'password_changed', user, work)
}

/** An anonymous user gets a first address at once where none is confirmed; any other change is agreed to by mail. */
async function changeEmail(
  parts: Parts,
  { sql, post }: Sending,
  user: UserRow,
  email: string,
  call: Call,
  challenge: CodeChallenge | null,
): Promise<void> {
  if (user.isAnonymous && !parts.settings.emailEnableConfirmations) await applyEmail(parts, sql, user, email, call.work)
  else post(await prepareEmailChange(parts, sql, user, email, call, challenge))
}

/** A new number is agreed to by a code; where numbers need none it is the user's at once. */
async function changePhone(
  parts: Parts,
  sql: Sql,
  user: UserRow,
  phone: string,
  channel: SmsChannel,
  work: Call['work'],
): Promise<void> {
  if (parts.settings.smsEnableConfirmations)
    await sendMessage(parts, sql, user, 'phone_change', { phone, channel }, { work })
  else await applyPhone(parts, sql, user, phone, work)
}

/** Lays fields over others, one level deep; null takes a field away. */
export function mergeMetadata(current: Metadata, change: Body): Metadata {
  return Object.fromEntries(Object.entries({ ...current, ...change }).filter(([, value]) => value !== null))
}

/** `POST /logout?scope=…` (auth §12). */
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
