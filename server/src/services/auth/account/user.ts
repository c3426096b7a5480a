import type { Sending } from '../codes/codes.ts'
import type { Post } from '../mails/outbox.ts'
import type { AuthResponse, Body, Call, RequestContext } from '../model/call.ts'
import type { CodeChallenge } from '../model/code-challenge.ts'
import { authError } from '../model/errors.ts'
import { isOfClient } from '../model/session.ts'
import type { SmsChannel } from '../model/sms.ts'
import type { UserRow } from '../model/user.ts'
import { mergeMetadata } from '../model/user.ts'
import { parseEmail } from '../parse/address.ts'
import { readObject, readText } from '../parse/body.ts'
import { parseChallenge } from '../parse/challenge.ts'
import { parseMailAddress } from '../parse/mail-address.ts'
import { parseChannel, parsePhone } from '../parse/phone.ts'
import { renderUser } from '../render/user.ts'
import type { AuthCaller } from '../sessions/sessions.ts'
import type { RequestSql } from '../store/database.ts'
import { clearOneTimeTokens } from '../store/one-time-tokens.ts'
import { deleteSessions } from '../store/sessions.ts'
import { findUserByEmail, findUserByPhone, getUserRow, lockUser, updateUser } from '../store/users.ts'
import { audienceOf } from '../users/audience.ts'
import type { AccountDeps } from './deps.ts'
import { checkPasswordChange } from './password-change.ts'

/** `GET /user` (auth §11). */
export async function getUser(deps: AccountDeps, { context }: Pick<Call, 'context'>): Promise<AuthResponse> {
  const { user } = await deps.findCaller(context)
  const { aud } = context.identity.kind === 'caller' ? context.identity.caller.claims : {}
  if (aud !== audienceOf(context, deps.settings))
    throw authError('validation_failed', { message: "Token audience doesn't match request audience" })
  return { status: 200, body: renderUser(user) }
}

/** `PUT /user` (auth §11): password, metadata, addresses. Fields that are not a user's to set are ignored. */
export async function changeUser(deps: AccountDeps, call: Call): Promise<AuthResponse> {
  const { context } = call
  const caller = await deps.findCaller(context)
  const wanted = parseChange(call.body, caller.user, deps.settings)
  await checkChange(deps, caller, wanted, context)
  const { password } = wanted
  if (password !== null) await checkPasswordChange(deps, caller, { ...wanted, password }, context)
  const passwordHash = password === null ? null : await deps.passwords.hash(password)

  const change = async (sql: RequestSql, post: Post): Promise<UserRow> => {
    const locked = await lockUser(sql, caller.user.id)
    if (locked === undefined) throw authError('user_not_found')
    const current = await changeOwn(deps, sql, locked, wanted, passwordHash)
    if (passwordHash !== null) await noteNewPassword(deps, sql, caller)
    await deps.audit(sql, current, ['user_modified'])
    if (wanted.newEmail !== null)
      await changeEmail(deps, { sql, post }, current, wanted.newEmail, call, wanted.challenge)
    if (wanted.newPhone !== null)
      await changePhone(deps, sql, await getUserRow(sql, current.id), wanted.newPhone, wanted.channel)
    return getUserRow(sql, current.id)
  }
  const changed =
    wanted.newEmail === null && wanted.newPhone === null
      ? await deps.database.change(context, (sql) => change(sql, () => undefined))
      : await deps.outbox.changeAndSend(context, change)
  return { status: 200, body: renderUser(changed) }
}

/** The changes of a user's call; null for a field that is absent or equal. */
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

function parseChange(body: Body, user: UserRow, settings: AccountDeps['settings']): WantedChange {
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

/** The rules of auth §11 in their order; every error comes before anything is written. */
async function checkChange(
  deps: AccountDeps,
  { user, session }: AuthCaller,
  { password, newEmail, newPhone, nonce, appMetadata }: WantedChange,
  context: RequestContext,
): Promise<void> {
  if (password !== null) await deps.passwordPolicy.check(password)
  if (appMetadata !== null && !deps.settings.jwtAdminRoles.includes(user.role ?? ''))
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
  if (newEmail !== null && (await findUserByEmail(deps.database.for(context), newEmail)) !== undefined)
    throw authError('email_exists')
  if (newPhone !== null && (await findUserByPhone(deps.database.for(context), newPhone)) !== undefined)
    throw authError('phone_exists')
}

/** Changes that need no confirmation: metadata and password. */
async function changeOwn(
  deps: AccountDeps,
  sql: RequestSql,
  user: UserRow,
  { data, appMetadata }: WantedChange,
  passwordHash: string | null,
): Promise<UserRow> {
  const metadata = {
    userMetadata: mergeMetadata(user.userMetadata, data ?? {}),
    appMetadata: mergeMetadata(user.appMetadata, appMetadata ?? {}),
  }
  await updateUser(sql, user.id, { ...metadata, ...(passwordHash === null ? {} : { passwordHash }) }, deps.now())
  return { ...user, ...metadata }
}

/** Sessions of the old password end, and no pending link can undo the change. */
async function noteNewPassword(deps: AccountDeps, sql: RequestSql, { user, session }: AuthCaller): Promise<void> {
  await deleteSessions(sql, user.id, session === null ? 'all' : { except: session.id })
  await clearOneTimeTokens(sql, user.id)
  await deps.audit(sql, user, ['user_updated_password'])
  deps.outbox.notify(sql, 'password_changed', user)
}

/** An anonymous user gets a first address at once where none is confirmed; any other change is agreed to by mail. */
async function changeEmail(
  deps: AccountDeps,
  { sql, post }: Sending,
  user: UserRow,
  email: string,
  call: Call,
  challenge: CodeChallenge | null,
): Promise<void> {
  if (user.isAnonymous && !deps.settings.emailEnableConfirmations) await deps.applyEmail(sql, user, email)
  else post(await deps.prepareEmailChange(sql, user, email, call, challenge))
}

/** A new number is agreed to by a code; where numbers need none it is the user's at once. */
async function changePhone(
  deps: AccountDeps,
  sql: RequestSql,
  user: UserRow,
  phone: string,
  channel: SmsChannel,
): Promise<void> {
  if (deps.settings.smsEnableConfirmations) await deps.sendMessage(sql, user, 'phone_change', { phone, channel })
  else await deps.applyPhone(sql, user, phone)
}

/** `POST /logout?scope=…` (auth §12). */
export async function signOut(deps: AccountDeps, call: Pick<Call, 'context'>, scope: string): Promise<AuthResponse> {
  if (!['', 'global', 'local', 'others'].includes(scope))
    throw authError('validation_failed', { message: `Unsupported logout scope "${scope}"` })
  const { context } = call
  const { user, session } = await deps.findCaller(context)
  await deps.database.change(context, async (sql) => {
    const which =
      session === null || scope === '' || scope === 'global'
        ? 'all'
        : scope === 'local'
          ? { only: session.id }
          : { except: session.id }
    await deleteSessions(sql, user.id, which)
    await deps.audit(sql, user, ['logout'])
  })
  return { status: 204 }
}
