import { violates } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { defaultDomain, type LinkingDomains, type LinkingFacts, linkingDomainOf } from '../model/linking.ts'
import type { Metadata } from '../model/user.ts'
import type { RequestSql } from './database.ts'

/** An identity by its provider and the provider's id of the user. */
export interface IdentityKey {
  readonly provider: string
  readonly subject: string
}

/** Whether PostgreSQL rejected an identity because a user has it already. */
export const isTakenIdentity = (error: unknown): boolean => violates(error, 'identities_provider_id_provider_unique')

interface RenewedIdentity extends IdentityKey {
  readonly data: Metadata
}

const renewIdentityStatement = (identity: RenewedIdentity, now: Date): Statement =>
  compile(sql`
    update auth.identities
    set identity_data = ${typed(JSON.stringify(identity.data), 'jsonb')}, last_sign_in_at = ${now}, updated_at = ${now}
    where provider = ${identity.provider} and provider_id = ${identity.subject}`)

/** Stores what a provider says now of an identity that is known. */
export async function renewIdentity(on: RequestSql, identity: RenewedIdentity, now: Date): Promise<void> {
  await on.query(renewIdentityStatement(identity, now))
}

const selectIdentityOwnerStatement = (identity: IdentityKey): Statement =>
  compile(sql`
    select user_id as "userId" from auth.identities
    where provider = ${identity.provider} and provider_id = ${identity.subject}`)

/** The user who has an identity. */
export async function findIdentityOwner(on: RequestSql, identity: IdentityKey): Promise<string | undefined> {
  return (await on.query<{ userId: string }>(selectIdentityOwnerStatement(identity))).rows[0]?.userId
}

const deleteIdentityStatement = (id: string): Statement =>
  compile(sql`delete from auth.identities where id = ${typed(id, 'uuid')}`)

/** Takes one identity of a user away. */
export async function deleteIdentity(on: RequestSql, id: string): Promise<void> {
  await on.query(deleteIdentityStatement(id))
}

const renewProvidersStatement = (userId: string, now: Date): Statement =>
  compile(sql`
    with known as (
      select provider, min(created_at) as since from auth.identities where user_id = ${userId} group by provider
    ), listed as (
      select coalesce(jsonb_agg(provider order by since, provider), '[]') as providers from known
    )
    update auth.users
    set raw_app_meta_data = coalesce(raw_app_meta_data, '{}') || jsonb_build_object('providers', listed.providers)
        || case when listed.providers = '[]' then '{}' else jsonb_build_object('provider', listed.providers -> 0) end,
      updated_at = ${now}
    from listed
    where id = ${userId}`)

/** Says in a user's app_metadata by which providers they sign in, the oldest first. */
export async function renewProviders(on: RequestSql, userId: string, now: Date): Promise<void> {
  await on.query(renewProvidersStatement(userId, now))
}

export interface LinkingQuestion {
  readonly provider: string
  readonly subject: string
  /** Addresses that count as the user's own, lower-cased. */
  readonly verified: readonly string[]
  /** Lower-cased; empty when there is none. */
  readonly leading: string
  readonly domains: LinkingDomains
}

function selectLinkingFactsStatement(question: LinkingQuestion): Statement {
  const { provider, subject, leading, domains } = question
  const domain = linkingDomainOf(provider, domains)
  const verified = typed(question.verified, 'text[]')
  return compile(sql`
    select
      (
        select i.user_id from auth.identities i where i.provider = ${provider} and i.provider_id = ${subject}
      ) as owner,
      coalesce((
        select jsonb_agg(m.id) from (
          select i.user_id as id
          from auth.identities i
          -- An address that a provider did not verify is a claim, not a proof: it draws nobody else's identity to its user.
          where i.email = any (${verified}) and i.identity_data ->> 'email_verified' = 'true'
            and ${ofDomain(domain, domains)}
          union
          select u.id
          from auth.users u
          where ${domain === defaultDomain} and lower(u.email) = any (${verified})
            and not u.is_sso_user and u.deleted_at is null
        ) m
      ), '[]') as matches,
      exists (
        select from auth.identities i where i.email = ${leading} and ${ofDomain(defaultDomain, domains)}
      ) or exists (
        select from auth.users u where lower(u.email) = ${leading} and not u.is_sso_user
      ) as "addressTaken"`)
}

/** Reads what decides which user a provider's user is, in one statement. */
export async function findLinkingFacts(on: RequestSql, question: LinkingQuestion): Promise<LinkingFacts> {
  const { rows } = await on.query<LinkingFacts>(selectLinkingFactsStatement(question))
  return rows[0] ?? { owner: null, matches: [], addressTaken: false }
}

function ofDomain(domain: string, domains: LinkingDomains): SqlFragment {
  if (domain.startsWith('sso:')) return sql`i.provider = ${domain}`
  if (domain === defaultDomain)
    return sql`i.provider not like 'sso:%' and i.provider <> all (${typed([...domains.keys()], 'text[]')})`
  const members = [...domains].filter(([, of]) => of === domain).map(([provider]) => provider)
  return sql`i.provider = any (${typed(members, 'text[]')})`
}

const selectAddressOfAnotherStatement = (email: string, exceptId: string): Statement =>
  compile(sql`
    select 1 from auth.users
    where lower(email) = ${email} and not is_sso_user and id <> ${typed(exceptId, 'uuid')}
    limit 1`)

/** Whether an address is one of a user other than `exceptId`; users of single sign-on do not count. */
export async function isAddressOfAnother(on: RequestSql, email: string, exceptId: string): Promise<boolean> {
  return (await on.query(selectAddressOfAnotherStatement(email, exceptId))).rows.length > 0
}

const forgetPhoneStatement = (userId: string): Statement =>
  compile(sql`
    update auth.users
    set phone = null, phone_confirmed_at = null, phone_change = '', phone_change_token = '', phone_change_sent_at = null
    where id = ${userId}`)

/** Takes a user's number away, with what is pending for it. */
export async function forgetPhone(on: RequestSql, userId: string): Promise<void> {
  await on.query(forgetPhoneStatement(userId))
}

const forgetPendingStatement = (userId: string): Statement =>
  compile(sql`
    with tokens as (delete from auth.one_time_tokens where user_id = ${typed(userId, 'uuid')})
    update auth.users
    set confirmation_token = '', confirmation_sent_at = null, recovery_token = '', recovery_sent_at = null,
      email_change = '', email_change_token_current = '', email_change_token_new = '', email_change_sent_at = null,
      email_change_confirm_status = 0, phone_change = '', phone_change_token = '', phone_change_sent_at = null,
      reauthentication_token = '', reauthentication_sent_at = null
    where id = ${userId}`)

/** Makes everything worthless that was sent to a user, and forgets the changes that wait for an answer. */
export async function forgetPending(on: RequestSql, userId: string): Promise<void> {
  await on.query(forgetPendingStatement(userId))
}
