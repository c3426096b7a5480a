import type { Sql } from '../../../engines/postgres/index.ts'
import { mergeMetadata } from '../account/user.ts'
import { createCode, randomPassword } from '../codes/one-time-tokens.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError } from '../errors.ts'
import { externalUrlFor, planLink } from '../mails/link.ts'
import { parseEmail } from '../parse/address.ts'
import { type Body, readObject, readText } from '../parse/body.ts'
import { renderUser } from '../render/user.ts'
import { type Administrator, checkAdmin } from '../sessions/caller.ts'
import { administrator, insertAudit } from '../store/audit.ts'
import { putOneTimeToken, type TokenKind } from '../store/one-time-tokens.ts'
import { findUserByEmail, type UserChange, type UserRow, updateUser } from '../store/users.ts'
import { duplicateOf } from '../users/contact-user.ts'
import { getUserRow } from '../users/new-user.ts'
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

/** What an administrator wants a link for. */
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
export async function generateLink(parts: Parts, call: Call): Promise<Reply> {
  const { work, body } = call
  const admin = await checkAdmin(parts, work)
  const email = parseEmail(readText(body, 'email'))
  const user = await findUserByEmail(parts.database.sql, email, work)
  const wanted = await planWanted(parts, body, email, user, work)
  const asked = readText(body, 'redirect_to')
  const redirectTo = asked !== '' && parts.redirects.isAllowed(asked) ? asked : call.redirectTo
  const otp = createCode(parts.settings.emailOtpLength)
  // Of the address that has the account, also where the link confirms another one (auth §18).
  const hashedToken = parts.hashCode(email, otp)
  const linkToken = wanted.type === 'email_change_new' ? parts.hashCode(wanted.newEmail, otp) : hashedToken
  try {
    const changed = await parts.database.change(work, async (sql) => {
      const owner = user ?? (await insertInvited(parts, sql, wanted, call))
      // Of an account that was there nobody knows who prepared it.
      const ofSignUp = wanted.type === 'signup' && user === undefined
      await keepToken(parts, sql, owner, wanted, { hash: linkToken, ofSignUp }, work)
      await audit(parts, sql, owner, wanted, admin, work)
      return getUserRow(sql, owner.id, work)
    })
    const fields = {
      action_link: planLink(
        { ...parts.settings, externalUrl: externalUrlFor(parts.settings, work.headers) },
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
  parts: Parts,
  body: Body,
  email: string,
  user: UserRow | undefined,
  work: Call['work'],
): Promise<WantedLink> {
  const asked = readText(body, 'type')
  const known = linkTypes.find((type) => type === asked)
  if (known === undefined)
    throw authError('validation_failed', { message: `Invalid email action link type requested: ${asked}` })
  // Nobody signs in who is not there: the link signs them up.
  const type = known === 'magiclink' && user === undefined ? 'signup' : known
  const data = readObject(body, 'data') ?? {}
  const plain = { type, email, newEmail: '', passwordHash: '', data }
  if (type === 'signup' || type === 'invite') {
    if (user?.emailConfirmedAt) throw authError('email_exists')
    if (type === 'invite' || user !== undefined) return plain
    const password = known === 'magiclink' ? randomPassword() : readText(body, 'password')
    if (password === '') throw authError('validation_failed', { message: 'Signup requires a valid password' })
    await parts.passwordPolicy.check(password)
    return { ...plain, passwordHash: await parts.passwords.hash(password) }
  }
  if (user === undefined) throw authError('user_not_found/404', { message: 'User with this email not found' })
  if (type === 'magiclink' || type === 'recovery') return plain
  if (type === 'email_change_current' && !parts.settings.emailDoubleConfirmChanges)
    throw authError('validation_failed', {
      message: 'Enable secure email change to generate link for current email',
    })
  const newEmail = parseEmail(readText(body, 'new_email'))
  const owner = await findUserByEmail(parts.database.sql, newEmail, work)
  if (owner !== undefined && owner.id !== user.id) throw authError('email_exists')
  return { ...plain, newEmail }
}

async function keepToken(
  parts: Parts,
  sql: Sql,
  user: UserRow,
  { type, email, newEmail, data }: WantedLink,
  { hash, ofSignUp }: { readonly hash: string; readonly ofSignUp: boolean },
  work: Call['work'],
): Promise<void> {
  const now = parts.now()
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
  await putOneTimeToken(sql, { id: parts.newId(), userId: user.id, kind, hash, address, ofSignUp }, now, work)
  await updateUser(sql, user.id, columns, now, work)
}

async function audit(
  parts: Parts,
  sql: Sql,
  user: UserRow,
  { type, email }: WantedLink,
  admin: Administrator,
  work: Call['work'],
): Promise<void> {
  const audited = { newId: parts.newId, now: parts.now(), work }
  if (type === 'invite')
    await insertAudit(sql, administrator(admin), ['user_invited'], audited, { user_id: user.id, user_email: email })
  if (type === 'magiclink' || type === 'recovery') await insertAudit(sql, user, ['user_recovery_requested'], audited)
}
