import { ServiceError } from '../../../ground/errors/service-error.ts'
import type { LinkMailKind } from '../mails/kinds.ts'
import type { AuthResponse, Call, RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import type { TokenKind } from '../model/one-time-token.ts'
import type { UserRow } from '../model/user.ts'
import { isBanned, withProviders } from '../model/user.ts'
import { parseEmail } from '../parse/address.ts'
import { isStorable, readText } from '../parse/body.ts'
import { renderCode, renderFailure, renderImplicit, renderMessage } from '../render/location.ts'
import { type IssuedTokens, tokenFields } from '../sessions/sessions.ts'
import type { RequestSql } from '../store/database.ts'
import {
  clearOneTimeTokens,
  issueFlowCode,
  type TakenToken,
  takeGuessedToken,
  takeOneTimeToken,
} from '../store/one-time-tokens.ts'
import { emptyAccount } from '../store/prepared-account.ts'
import { findUser, getUserRow, lockUser, updateIdentity, updateUser } from '../store/users.ts'
import type { CodesDeps } from './deps.ts'
import { applyEmail, isFirstOfTwo, noteFirstConfirmation } from './email-change.ts'
import { pkcePrefix, randomPassword, storedForms } from './one-time-tokens.ts'
import { flowMethods } from './send-token.ts'
import { verifyPhone } from './verify-phone.ts'

const kindsOfType: Readonly<Record<string, readonly TokenKind[]>> = {
  signup: ['confirmation_token'],
  invite: ['confirmation_token'],
  magiclink: ['recovery_token'],
  recovery: ['recovery_token'],
  email: ['confirmation_token', 'recovery_token'],
  email_change: ['email_change_token_new', 'email_change_token_current'],
  sms: ['confirmation_token'],
  phone_change: ['phone_change_token'],
}
const byPhone = ['sms', 'phone_change']

/** `POST /verify` (auth §10): a typed code with its address, or the hash out of a link. */
export async function verifyCode(deps: CodesDeps, call: Call): Promise<AuthResponse> {
  const { body, context } = call
  const type = readText(body, 'type')
  const code = readText(body, 'token')
  const tokenHash = readText(body, 'token_hash')
  const address = readText(body, 'email')
  const phone = readText(body, 'phone')
  const kinds = kindsOf(type)
  if ((code === '') === (tokenHash === ''))
    throw authError('validation_failed', { message: 'Verify requires either a token or a token hash' })
  if (tokenHash !== '' && (address !== '' || phone !== '' || readText(body, 'redirect_to') !== ''))
    throw authError('validation_failed', { message: 'Only the token_hash and type should be provided' })
  if (code !== '' && (address === '') === (phone === ''))
    throw authError('validation_failed', {
      message: 'Only an email address or phone number should be provided on verify',
    })
  if (byPhone.includes(type)) {
    if (code === '')
      throw authError('validation_failed', { message: 'Only the token and a phone number should be provided' })
    return verifyPhone(deps, call, { type, code, phone })
  }
  // Codes of the other kinds go out by mail.
  if (code !== '' && phone !== '') throw authError('otp_expired')

  return code === ''
    ? verifyHash(deps, tokenHash, kinds, context)
    : verifyTyped(deps, parseTypedEmail(address), code, kinds, context)
}

function verifyHash(
  deps: CodesDeps,
  hash: string,
  kinds: readonly TokenKind[],
  context: RequestContext,
): Promise<AuthResponse> {
  return deps.database.change(context, async (sql) => {
    const taken = await takeOneTimeToken(sql, [hash], kinds)
    return enter(deps, sql, await redeem(deps, sql, taken, badLink))
  })
}

async function verifyTyped(
  deps: CodesDeps,
  email: string,
  code: string,
  kinds: readonly TokenKind[],
  context: RequestContext,
): Promise<AuthResponse> {
  const hashes = deps.codeHashes(email, code).flatMap(storedForms)
  const guess = { hashes, kinds, address: email, limit: deps.settings.otpMaxWrongGuesses }
  const reply = await deps.database.change(context, async (sql) => {
    const taken = await takeGuessedToken(sql, guess)
    return taken && enter(deps, sql, await redeem(deps, sql, taken, badCode))
  })
  // Thrown after the commit: the guess has been counted.
  if (reply === undefined) throw deps.bruteForceLimit.errorFor(email, authError('otp_expired', { message: badCode }))
  return reply
}

const badLink = 'Email link is invalid or has expired'
const badCode = 'Token has expired or is invalid'

async function enter(deps: CodesDeps, sql: RequestSql, { user, kind }: Redeemed): Promise<AuthResponse> {
  if (kind === 'first of two') return { status: 200, body: { msg: firstOfTwo, code: '200' } }
  return (await signIn(deps, sql, user, 'otp')).reply
}

/**
 * `GET /verify` (auth §10): the link in a mail. Once its parameters are there everything ends in a redirect, a
 * an error too.
 */
export async function verifyLink(
  deps: CodesDeps,
  call: Pick<Call, 'context' | 'redirectTo'>,
  query: { readonly token: string; readonly type: string },
): Promise<string> {
  const { context, redirectTo } = call
  const { token, type } = query
  if (token === '') throw authError('validation_failed', { message: 'Verify requires a token or a token hash' })
  if (type === '') throw authError('validation_failed', { message: 'Verify requires a verification type' })
  const isPkce = token.startsWith(pkcePrefix)
  try {
    if (byPhone.includes(type)) throw unsupportedType()
    const kinds = kindsOf(type)
    // No token of ours; the database cannot look for it.
    if (!isStorable(token)) throw authError('otp_expired', { message: badLink })
    return await deps.database.change(context, async (sql) => {
      const taken = await takeOneTimeToken(sql, [token], kinds)
      const { user, kind } = await redeem(deps, sql, taken, badLink)
      if (kind === 'first of two') return renderMessage(redirectTo, firstOfTwo, isPkce)
      if (isPkce) {
        const code = await issueFlowCode(sql, user.id, flowMethods[mailOf(kind, type)], deps.now())
        if (code === undefined) throw authError('flow_state_not_found')
        return renderCode(redirectTo, code)
      }
      const issued = await signIn(deps, sql, user, 'otp')
      return renderImplicit(redirectTo, fragmentOf(issued, type))
    })
  } catch (error) {
    if (error instanceof ServiceError) {
      context.errorCode = error.code
      return renderFailure(redirectTo, error, isPkce)
    }
    throw error
  }
}

const firstOfTwo = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

/** The mail a token came in; magic link and recovery share a column, the link's type tells them apart. */
function mailOf(kind: TokenKind, type: string): LinkMailKind {
  if (kind === 'confirmation_token') return 'confirmation'
  if (kind === 'recovery_token') return type === 'recovery' ? 'recovery' : 'magic_link'
  return 'email_change'
}

function kindsOf(type: string): readonly TokenKind[] {
  if (type === '') throw authError('validation_failed', { message: 'Verify requires a verification type' })
  const kinds = Object.hasOwn(kindsOfType, type) ? kindsOfType[type] : undefined
  if (kinds === undefined) throw unsupportedType()
  return kinds
}

const unsupportedType = () => authError('validation_failed', { message: 'Unsupported verification type' })

function parseTypedEmail(address: string): string {
  try {
    return parseEmail(address)
  } catch (cause) {
    throw authError('validation_failed/422', { message: 'Invalid email format', cause })
  }
}

interface Redeemed {
  readonly user: UserRow
  /** `first of two`: the other address has still to agree. */
  readonly kind: TokenKind | 'first of two'
}

/** Does what a token that was taken away was for; a success makes every other pending token of the user worthless. */
async function redeem(
  deps: CodesDeps,
  sql: RequestSql,
  taken: TakenToken | undefined,
  message: string,
): Promise<Redeemed> {
  const now = deps.now()
  const user = taken === undefined ? undefined : await lockUser(sql, taken.userId)
  if (taken === undefined || user === undefined || !belongs(taken, user)) throw authError('otp_expired', { message })
  if (isBanned(user, now)) throw authError('user_banned')
  const expiresAt = (sentAtOf(taken.kind, user)?.getTime() ?? 0) + deps.settings.emailOtpExpirySeconds * 1000
  if (now.getTime() > expiresAt) throw authError('otp_expired', { message })

  if (taken.kind === 'confirmation_token' || taken.kind === 'recovery_token')
    await confirm(deps, sql, user, taken.ofSignUp)
  else {
    if (!user.newEmail) throw authError('otp_expired', { message })
    if (isFirstOfTwo(deps, user)) {
      await noteFirstConfirmation(deps, sql, user, taken)
      return { user, kind: 'first of two' }
    }
    await applyEmail(deps, sql, user, user.newEmail)
    await deps.audit(sql, user, ['user_modified'])
  }
  const current = await findUser(sql, user.id)
  if (current === undefined) throw authError('otp_expired', { message })
  if (user.email && current.email !== user.email)
    deps.outbox.notify(sql, 'email_changed', current, { oldEmail: user.email })
  return { user: current, kind: taken.kind }
}

/**
 * Whether a token was made for the address it is about to confirm: the code of a phone must not confirm an e-mail address
 * that the same user has, nor an old one a new one.
 */
function belongs({ kind, address }: TakenToken, user: UserRow): boolean {
  const ofUser = kind === 'email_change_token_new' ? user.newEmail : user.email
  return address.toLowerCase() === (ofUser ?? '').toLowerCase()
}

function sentAtOf(kind: TokenKind, user: UserRow): Date | null {
  if (kind === 'confirmation_token') return user.confirmationSentAt
  return kind === 'recovery_token' ? user.recoverySentAt : user.emailChangeSentAt
}

async function confirm(deps: CodesDeps, sql: RequestSql, prepared: UserRow, ofSignUp: boolean): Promise<void> {
  const now = deps.now()
  await clearOneTimeTokens(sql, prepared.id)
  if (prepared.emailConfirmedAt !== null) return
  if (!ofSignUp) await emptyAccount(sql, prepared.id, { kind: 'email' }, now)
  const user = ofSignUp ? prepared : await getUserRow(sql, prepared.id)
  const wasInvited = user.invitedAt !== null && !user.passwordHash
  const confirmed = {
    emailConfirmedAt: now,
    isAnonymous: false,
    userMetadata: { ...user.userMetadata, email_verified: true },
    appMetadata: withProviders(
      user.appMetadata,
      user.identities.map((identity) => identity.provider),
    ),
    // An invited user signs in by the link, and has a random password until they choose one.
    ...(wasInvited ? { passwordHash: await deps.passwords.hash(randomPassword()) } : {}),
  }
  await updateUser(sql, user.id, confirmed, now)
  await updateIdentity(sql, user.id, 'email', { email_verified: true }, now)
  await deps.audit(sql, user, ['user_signedup'], { provider: 'email' })
}

async function signIn(deps: CodesDeps, sql: RequestSql, user: UserRow, method: string): Promise<IssuedTokens> {
  const issued = await deps.issueSession(sql, user, method)
  await deps.audit(sql, user, ['login'])
  return issued
}

const fragmentOf = (issued: IssuedTokens, type: string): Readonly<Record<string, string>> => ({
  ...tokenFields(issued),
  type,
})
