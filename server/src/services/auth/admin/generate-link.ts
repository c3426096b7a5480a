import { createCode, randomPassword } from '../codes/one-time-tokens.ts'
import { externalUrlFor, planLink } from '../mails/link.ts'
import type { AuthResponse, Body, Call, RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import type { TokenKind } from '../model/one-time-token.ts'
import type { UserRow } from '../model/user.ts'
import { mergeMetadata } from '../model/user.ts'
import { parseEmail } from '../parse/address.ts'
import { readObject, readText } from '../parse/body.ts'
import { renderUser } from '../render/user.ts'
import type { Administrator } from '../sessions/sessions.ts'
import { administrator } from '../store/audit.ts'
import type { RequestSql } from '../store/database.ts'
import { putOneTimeToken } from '../store/one-time-tokens.ts'
import { duplicateOf, findUserByEmail, getUserRow, type UserChange, updateUser } from '../store/users.ts'
import type { AdminDeps } from './deps.ts'
import { insertInvited } from './invite.ts'

const linkTypes = ['signup', 'invite', 'magiclink', 'recovery', 'email_change_current', 'email_change_new'] as const
type LinkType = (typeof linkTypes)[number]

const mailOf = {
  signup: 'confirmation',
  invite: 'invite',
  magiclink: 'magic_link',
  recovery: 'recovery',
  email_change_current: 'email_change',
  email_change_new: 'email_change',
} as const

/** The purpose of an administrator's link. */
interface WantedLink {
  readonly type: LinkType
  readonly email: string
  /** Of a change of address; empty otherwise. */
  readonly newEmail: string
  /** Of a sign-up; empty otherwise. */
  readonly passwordHash: string
  readonly data: Body
}

/** `POST /admin/generate_link` (auth §18): what a mail would carry, for who sends their mails themselves. */
export async function generateLink(deps: AdminDeps, call: Call): Promise<AuthResponse> {
  const { context, body } = call
  const admin = await deps.checkAdmin(context)
  const email = parseEmail(readText(body, 'email'))
  const user = await findUserByEmail(deps.database.for(context), email)
  const wanted = await planWanted(deps, body, email, user, context)
  const requested = readText(body, 'redirect_to')
  const redirectTo = requested !== '' && deps.redirects.isAllowed(requested) ? requested : call.redirectTo
  const otp = createCode(deps.settings.emailOtpLength)
  // Of the address that has the account, also where the link confirms another one (auth §18).
  const hashedToken = deps.hashCode(email, otp)
  const linkToken = wanted.type === 'email_change_new' ? deps.hashCode(wanted.newEmail, otp) : hashedToken
  try {
    const changed = await deps.database.change(context, async (sql) => {
      const owner = user ?? (await insertInvited(deps, sql, wanted))
      // An account that exists already may have been prepared by a stranger.
      const ofSignUp = wanted.type === 'signup' && user === undefined
      await storeToken(deps, sql, owner, wanted, { hash: linkToken, ofSignUp })
      await audit(deps, sql, owner, wanted, admin)
      return getUserRow(sql, owner.id)
    })
    const fields = {
      action_link: planLink(
        { ...deps.settings, externalUrl: externalUrlFor(deps.settings, context.headers) },
        mailOf[wanted.type],
        linkToken,
        redirectTo,
      ),
      email_otp: otp,
      hashed_token: hashedToken,
      verification_type: wanted.type,
      redirect_to: redirectTo,
    }
    return { status: 200, body: { ...renderUser(changed), ...fields } }
  } catch (cause) {
    throw duplicateOf(cause) === null ? cause : authError('email_exists', { cause })
  }
}

async function planWanted(
  deps: AdminDeps,
  body: Body,
  email: string,
  user: UserRow | undefined,
  context: RequestContext,
): Promise<WantedLink> {
  const requested = readText(body, 'type')
  const known = linkTypes.find((type) => type === requested)
  if (known === undefined)
    throw authError('validation_failed', { message: `Invalid email action link type requested: ${requested}` })
  // A user who does not exist cannot sign in: the link signs them up.
  const type = known === 'magiclink' && user === undefined ? 'signup' : known
  const data = readObject(body, 'data') ?? {}
  const plain = { type, email, newEmail: '', passwordHash: '', data }
  if (type === 'signup' || type === 'invite') {
    if (user?.emailConfirmedAt) throw authError('email_exists')
    if (type === 'invite' || user !== undefined) return plain
    const password = known === 'magiclink' ? randomPassword() : readText(body, 'password')
    if (password === '') throw authError('validation_failed', { message: 'Signup requires a valid password' })
    await deps.passwordPolicy.check(password)
    return { ...plain, passwordHash: await deps.passwords.hash(password) }
  }
  if (user === undefined) throw authError('user_not_found/404', { message: 'User with this email not found' })
  if (type === 'magiclink' || type === 'recovery') return plain
  if (type === 'email_change_current' && !deps.settings.emailDoubleConfirmChanges)
    throw authError('validation_failed', {
      message: 'Enable secure email change to generate link for current email',
    })
  const newEmail = parseEmail(readText(body, 'new_email'))
  const owner = await findUserByEmail(deps.database.for(context), newEmail)
  if (owner !== undefined && owner.id !== user.id) throw authError('email_exists')
  return { ...plain, newEmail }
}

async function storeToken(
  deps: AdminDeps,
  sql: RequestSql,
  user: UserRow,
  { type, email, newEmail, data }: WantedLink,
  { hash, ofSignUp }: { readonly hash: string; readonly ofSignUp: boolean },
): Promise<void> {
  const now = deps.now()
  const confirmation = { confirmationToken: hash, confirmationSentAt: now }
  const change = { newEmail, emailChangeSentAt: now, emailChangeStatus: 0 }
  const planned: Readonly<Record<LinkType, readonly [TokenKind, UserChange]>> = {
    signup: ['confirmation_token', { ...confirmation, userMetadata: mergeMetadata(user.userMetadata, data) }],
    invite: ['confirmation_token', { ...confirmation, invitedAt: now }],
    magiclink: ['recovery_token', { recoveryToken: hash, recoverySentAt: now }],
    recovery: ['recovery_token', { recoveryToken: hash, recoverySentAt: now }],
    email_change_current: ['email_change_token_current', { ...change, emailChangeTokenCurrent: hash }],
    email_change_new: ['email_change_token_new', { ...change, emailChangeTokenNew: hash }],
  }
  const [kind, columns] = planned[type]
  const address = type === 'email_change_new' ? newEmail : email
  await putOneTimeToken(sql, { id: deps.newId(), userId: user.id, kind, hash, address, ofSignUp }, now)
  await updateUser(sql, user.id, columns, now)
}

async function audit(
  deps: AdminDeps,
  sql: RequestSql,
  user: UserRow,
  { type, email }: WantedLink,
  admin: Administrator,
): Promise<void> {
  if (type === 'invite')
    await deps.audit(sql, administrator(admin), ['user_invited'], { user_id: user.id, user_email: email })
  if (type === 'magiclink' || type === 'recovery') await deps.audit(sql, user, ['user_recovery_requested'])
}
