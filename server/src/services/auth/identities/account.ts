import type { ServiceError } from '../../../ground/errors/service-error.ts'
import type { Post } from '../mails/outbox.ts'
import type { Call } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { defaultDomain, linkingDomainOf } from '../model/linking.ts'
import { type ExternalSignIn, identityDataOf, leadingEmail } from '../model/provided-user.ts'
import type { Metadata, UserRow } from '../model/user.ts'
import { isBanned } from '../model/user.ts'
import type { RequestSql } from '../store/database.ts'
import { findLinkingFacts, renewIdentity, renewProviders } from '../store/identities.ts'
import { clearOneTimeTokens } from '../store/one-time-tokens.ts'
import { emptyAccount } from '../store/prepared-account.ts'
import { getUserRow, insertIdentity, lockUser, updateUser } from '../store/users.ts'
import { audienceOf } from '../users/audience.ts'
import type { IdentitiesDeps } from './deps.ts'
import { identityError } from './errors.ts'
import type { AccountOutcome } from './identities.ts'
import { parseLinkingDomains, planLinking, verifiedAddresses } from './linking-plan.ts'

type AccountCall = Pick<Call, 'context' | 'redirectTo'>

/**
 * Finds or creates the user of a provider's user (auth §13); runs inside the caller's transaction.
 *
 * @throws signup_disabled, user_banned, over_email_send_rate_limit; unexpected_failure when several users could be meant
 */
export async function resolveAccount(
  deps: IdentitiesDeps,
  sql: RequestSql,
  signIn: ExternalSignIn,
  call: AccountCall,
  post: Post,
): Promise<AccountOutcome> {
  const { settings } = deps
  const now = deps.now()
  const data = identityDataOf(signIn.user)
  const domains = parseLinkingDomains(settings.providerLinkingDomains)
  const domain = linkingDomainOf(signIn.provider, domains)
  const leading = leadingEmail(signIn.user)
  const verified = verifiedAddresses(signIn.user.emails)
  const identity = { provider: signIn.provider, subject: signIn.user.subject, data }
  const question = { ...identity, verified, leading: leading?.address.toLowerCase() ?? '', domains }
  const plan = planLinking(await findLinkingFacts(sql, question), leading, verified)

  switch (plan.kind) {
    case 'ambiguous':
      throw authError('unexpected_failure', {
        message: `Multiple accounts with the same email address in the same linking domain detected: ${domain}`,
      })
    case 'create': {
      const isSsoUser = domain !== defaultDomain
      const user = await createAccount(deps, sql, { ...identity, email: plan.email, isSsoUser }, call)
      return admit(deps, sql, { user, data, verified, how: plan.kind }, signIn, call, post)
    }
    case 'link': {
      const user = await mustLock(sql, plan.userId)
      const id = deps.newId()
      await insertIdentity(
        sql,
        { id, userId: user.id, provider: identity.provider, providerId: identity.subject, data },
        now,
      )
      await updateUser(sql, user.id, { userMetadata: { ...user.userMetadata, ...data } }, now)
      await renewProviders(sql, user.id, now)
      const traits = { identity_id: id, provider: signIn.provider, provider_id: identity.subject }
      await deps.audit(sql, user, ['identity_linked'], traits)
      return admit(deps, sql, { user, data, verified, how: plan.kind }, signIn, call, post)
    }
    case 'exists': {
      const user = await mustLock(sql, plan.userId)
      await renewIdentity(sql, identity, now)
      await updateUser(sql, user.id, { userMetadata: { ...user.userMetadata, ...data } }, now)
      await renewProviders(sql, user.id, now)
      return admit(deps, sql, { user, data, verified, how: plan.kind }, signIn, call, post)
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
  deps: IdentitiesDeps,
  sql: RequestSql,
  { provider, subject, data, email, isSsoUser }: NewAccount,
  call: AccountCall,
): Promise<UserRow> {
  if (!deps.settings.enableSignup) throw authError('signup_disabled')
  const now = deps.now()
  const userId = deps.newId()
  const user = {
    id: userId,
    audience: audienceOf(call.context, deps.settings),
    role: deps.settings.jwtDefaultRole,
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
  await deps.createUser(sql, user)
  await insertIdentity(sql, { id: deps.newId(), userId, provider, providerId: subject, data }, now)
  return mustLock(sql, userId)
}

interface Account {
  readonly user: UserRow
  readonly data: Metadata
  readonly verified: readonly string[]
  readonly how: 'create' | 'link' | 'exists'
}

/** Signs the user in, or asks for a confirmation first. */
async function admit(
  deps: IdentitiesDeps,
  sql: RequestSql,
  { user, data, verified, how }: Account,
  { provider, user: provided, emailOptional }: ExternalSignIn,
  call: AccountCall,
  post: Post,
): Promise<AccountOutcome> {
  const { settings } = deps
  const now = deps.now()
  if (isBanned(user, now)) throw authError('user_banned')
  const address = user.email?.toLowerCase() ?? ''
  const autoConfirm = !settings.emailEnableConfirmations

  // Without an address of their own, users are who the provider says they are, if it vouches for anything.
  const isVouchedFor = emailOptional || autoConfirm || user.phoneConfirmedAt !== null || verified.length > 0
  if (address === '' ? isVouchedFor : user.emailConfirmedAt !== null) {
    await deps.audit(sql, user, [how === 'create' ? 'user_signedup' : 'login'], { provider })
    return { kind: 'signed in', user: await getUserRow(sql, user.id) }
  }
  if (address === '') return { kind: 'error', error: unverified(provider, null) }
  // The caller who links may be another than the one who prepared the account. With an identity that was there, a confirmed number tells
  // that it is the same.
  if (how === 'link' || (how === 'exists' && user.phoneConfirmedAt === null))
    await removeUnconfirmed(deps, sql, user, { provider, subject: provided.subject, data })
  // Only a proof of this very address confirms it: the provider's may have become another one meanwhile.
  if (autoConfirm || verified.includes(address)) {
    await clearOneTimeTokens(sql, user.id)
    const userMetadata = { ...(await getUserRow(sql, user.id)).userMetadata, email_verified: true }
    await updateUser(sql, user.id, { emailConfirmedAt: now, userMetadata }, now)
    await deps.audit(sql, user, ['user_signedup'], { provider })
    return { kind: 'signed in', user: await getUserRow(sql, user.id) }
  }
  post(await deps.prepareMail(sql, user, 'confirmation', call, null))
  if (!settings.emailAllowUnverifiedSignIns) return { kind: 'error', error: unverified(provider, address) }
  return { kind: 'signed in', user: await getUserRow(sql, user.id) }
}

/** Empties an unconfirmed account before its address is proven (auth §13, pre-hijack protection). */
async function removeUnconfirmed(
  deps: Pick<IdentitiesDeps, 'now'>,
  sql: RequestSql,
  user: UserRow,
  identity: { readonly provider: string; readonly subject: string; readonly data: Metadata },
): Promise<void> {
  const now = deps.now()
  await updateUser(sql, user.id, { userMetadata: identity.data }, now)
  await emptyAccount(sql, user.id, { kind: 'identity', ...identity }, now)
}

function unverified(provider: string, address: string | null): ServiceError {
  const advice =
    address === null
      ? `Verify the email with ${provider} in order to sign in`
      : `A confirmation email has been sent to your ${provider} email`
  return identityError('provider_email_needs_verification', { message: `Unverified email with ${provider}. ${advice}` })
}

async function mustLock(sql: RequestSql, id: string): Promise<UserRow> {
  const user = await lockUser(sql, id)
  // A trigger of the application may have taken the row away again.
  if (user === undefined) throw authError('unexpected_failure')
  return user
}
