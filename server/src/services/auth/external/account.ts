import type { Sql } from '../../../engines/postgres/index.ts'
import type { ServiceError } from '../../../ground/errors/service-error.ts'
import { prepareMail } from '../codes/send-token.ts'
import type { Call, Parts } from '../deps.ts'
import { authError } from '../errors.ts'
import type { Post } from '../mails/outbox.ts'
import { type ExternalSignIn, identityDataOf, leadingEmail } from '../providers/provided-user.ts'
import { isBanned } from '../sessions/caller.ts'
import { insertAudit } from '../store/audit.ts'
import { findLinkingFacts, isTakenIdentity, renewIdentity, renewProviders } from '../store/identities.ts'
import { clearOneTimeTokens } from '../store/one-time-tokens.ts'
import { emptyAccount } from '../store/prepared-account.ts'
import { insertIdentity, lockUser, type Metadata, type UserRow, updateUser } from '../store/users.ts'
import { audienceOf } from '../users/audience.ts'
import { duplicateOf } from '../users/contact-user.ts'
import { createUser, getUserRow } from '../users/new-user.ts'
import { defaultDomain, linkingDomainOf, parseLinkingDomains, planLinking, verifiedAddresses } from './linking-plan.ts'

/** What becomes of them. A refusal is thrown by the caller after the commit: what was written before it is kept. */
export type AccountOutcome =
  | { readonly kind: 'signed in'; readonly user: UserRow }
  | { readonly kind: 'refused'; readonly error: ServiceError }

type AccountCall = Pick<Call, 'work' | 'redirectTo'>

/**
 * Finds or makes the user of somebody whom a provider vouches for (auth §13); runs inside the caller's transaction.
 *
 * @throws signup_disabled, user_banned, over_email_send_rate_limit; unexpected_failure when several users could be meant
 */
export async function resolveAccount(
  parts: Parts,
  sql: Sql,
  signIn: ExternalSignIn,
  call: AccountCall,
  post: Post,
): Promise<AccountOutcome> {
  const { work } = call
  const { settings } = parts
  const now = parts.now()
  const data = identityDataOf(signIn.user)
  const domains = parseLinkingDomains(settings.providerLinkingDomains)
  const domain = linkingDomainOf(signIn.provider, domains)
  const leading = leadingEmail(signIn.user)
  const verified = verifiedAddresses(signIn.user.emails)
  const identity = { provider: signIn.provider, subject: signIn.user.subject, data }
  const question = { ...identity, verified, leading: leading?.address.toLowerCase() ?? '', domains }
  const plan = planLinking(await findLinkingFacts(sql, question, work), leading, verified)

  switch (plan.kind) {
    case 'ambiguous':
      throw authError('unexpected_failure', {
        message: `Multiple accounts with the same email address in the same linking domain detected: ${domain}`,
      })
    case 'create': {
      const isSsoUser = domain !== defaultDomain
      const user = await createAccount(parts, sql, { ...identity, email: plan.email, isSsoUser }, call)
      return admit(parts, sql, { user, data, verified, how: plan.kind }, signIn, call, post)
    }
    case 'link': {
      const user = await mustLock(sql, plan.userId, call)
      const id = parts.newId()
      await insertIdentity(
        sql,
        { id, userId: user.id, provider: identity.provider, providerId: identity.subject, data },
        now,
        work,
      )
      await updateUser(sql, user.id, { userMetadata: { ...user.userMetadata, ...data } }, now, work)
      await renewProviders(sql, user.id, now, work)
      const traits = { identity_id: id, provider: signIn.provider, provider_id: identity.subject }
      await insertAudit(sql, user, ['identity_linked'], { newId: parts.newId, now, work }, traits)
      return admit(parts, sql, { user, data, verified, how: plan.kind }, signIn, call, post)
    }
    case 'exists': {
      const user = await mustLock(sql, plan.userId, call)
      await renewIdentity(sql, identity, now, work)
      await updateUser(sql, user.id, { userMetadata: { ...user.userMetadata, ...data } }, now, work)
      await renewProviders(sql, user.id, now, work)
      return admit(parts, sql, { user, data, verified, how: plan.kind }, signIn, call, post)
    }
    default:
      return plan satisfies never
  }
}

interface NewAccount {
  readonly provider: string
  readonly subject: string
  readonly data: Metadata
  readonly email: string | null
  readonly isSsoUser: boolean
}

async function createAccount(
  parts: Parts,
  sql: Sql,
  { provider, subject, data, email, isSsoUser }: NewAccount,
  call: AccountCall,
): Promise<UserRow> {
  if (!parts.settings.enableSignup) throw authError('signup_disabled')
  const now = parts.now()
  const userId = parts.newId()
  const user = {
    id: userId,
    audience: audienceOf(call.work, parts.settings),
    role: parts.settings.jwtDefaultRole,
    email,
    phone: null,
    passwordHash: '',
    appMetadata: { provider, providers: [provider] },
    userMetadata: data,
    isAnonymous: false,
    isSsoUser,
    emailConfirmedAt: null,
    phoneConfirmedAt: null,
  }
  await createUser(parts, sql, user, call.work)
  await insertIdentity(sql, { id: parts.newId(), userId, provider, providerId: subject, data }, now, call.work)
  return mustLock(sql, userId, call)
}

interface Account {
  readonly user: UserRow
  readonly data: Metadata
  readonly verified: readonly string[]
  readonly how: 'create' | 'link' | 'exists'
}

/** Lets somebody in, or asks for a confirmation first. */
async function admit(
  parts: Parts,
  sql: Sql,
  { user, data, verified, how }: Account,
  { provider, user: provided, emailOptional }: ExternalSignIn,
  call: AccountCall,
  post: Post,
): Promise<AccountOutcome> {
  const { settings, newId } = parts
  const { work } = call
  const now = parts.now()
  if (isBanned(user, now)) throw authError('user_banned')
  const audited = { newId, now, work }
  const address = user.email?.toLowerCase() ?? ''
  const autoConfirm = !settings.emailEnableConfirmations

  // Without an address of their own, users are who the provider says they are, if it vouches for anything.
  const isVouchedFor = emailOptional || autoConfirm || user.phoneConfirmedAt !== null || verified.length > 0
  if (address === '' ? isVouchedFor : user.emailConfirmedAt !== null) {
    await insertAudit(sql, user, [how === 'create' ? 'user_signedup' : 'login'], audited, { provider })
    return { kind: 'signed in', user: await getUserRow(sql, user.id, call.work) }
  }
  if (address === '') return { kind: 'refused', error: unverified(provider, null) }
  // Whoever links may be another than who prepared the account. With an identity that was there, a confirmed number tells
  // that it is the same.
  if (how === 'link' || (how === 'exists' && user.phoneConfirmedAt === null))
    await removeUnconfirmed(parts, sql, user, { provider, subject: provided.subject, data }, work)
  // Only a proof of this very address confirms it: the provider's may have become another one meanwhile.
  if (autoConfirm || verified.includes(address)) {
    await clearOneTimeTokens(sql, user.id, work)
    const userMetadata = { ...(await getUserRow(sql, user.id, call.work)).userMetadata, email_verified: true }
    await updateUser(sql, user.id, { emailConfirmedAt: now, userMetadata }, now, work)
    await insertAudit(sql, user, ['user_signedup'], audited, { provider })
    return { kind: 'signed in', user: await getUserRow(sql, user.id, call.work) }
  }
  post(await prepareMail(parts, sql, user, 'confirmation', call, null))
  if (!settings.emailAllowUnverifiedSignIns) return { kind: 'refused', error: unverified(provider, address) }
  return { kind: 'signed in', user: await getUserRow(sql, user.id, call.work) }
}

/** Empties an account that nobody confirmed before its address is proven (auth §13, pre-hijack protection). */
async function removeUnconfirmed(
  parts: Pick<Parts, 'now'>,
  sql: Sql,
  user: UserRow,
  kept: { readonly provider: string; readonly subject: string; readonly data: Metadata },
  work: Call['work'],
): Promise<void> {
  const now = parts.now()
  await updateUser(sql, user.id, { userMetadata: kept.data }, now, work)
  await emptyAccount(sql, user.id, { kind: 'identity', ...kept }, now, work)
}

function unverified(provider: string, address: string | null): ServiceError {
  const advice =
    address === null
      ? `Verify the email with ${provider} in order to sign in`
      : `A confirmation email has been sent to your ${provider} email`
  return authError('provider_email_needs_verification', { message: `Unverified email with ${provider}. ${advice}` })
}

async function mustLock(sql: Sql, id: string, call: AccountCall): Promise<UserRow> {
  const user = await lockUser(sql, id, call.work)
  // A trigger of the application may have taken the row away again.
  if (user === undefined) throw authError('unexpected_failure')
  return user
}

/** Does a change again when somebody else made the same user or identity between its look and its insert. */
export async function onceMore<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (isTakenIdentity(error) || duplicateOf(error) !== null) return change()
    throw error
  }
}
