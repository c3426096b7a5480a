import { compile, type Statement } from '../../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../../ground/sql/sql.ts'
import type { RequestSql } from '../../store/database.ts'

/** A user's consent to a client, until it is revoked. */
export interface GrantRow {
  readonly clientId: string
  readonly name: string | null
  readonly uri: string | null
  readonly logoUri: string | null
  readonly scopes: string
  readonly grantedAt: Date
}

const selectConsentStatement = (userId: string, clientId: string): Statement =>
  compile(sql`
    select scopes from auth.oauth_consents
    where user_id = ${userId} and client_id = ${clientId} and revoked_at is null`)

/** The scopes a user has agreed to for a client; undefined when there is no consent. */
export async function findConsent(on: RequestSql, userId: string, clientId: string): Promise<string | undefined> {
  return (await on.query<{ scopes: string }>(selectConsentStatement(userId, clientId))).rows[0]?.scopes
}

interface NewConsent {
  readonly id: string
  readonly userId: string
  readonly clientId: string
  readonly scopes: string
}

const putConsentStatement = (consent: NewConsent, now: Date): Statement =>
  compile(sql`
    insert into auth.oauth_consents (id, user_id, client_id, scopes, granted_at)
    values (${consent.id}, ${consent.userId}, ${consent.clientId}, ${consent.scopes}, ${now})
    on conflict (user_id, client_id)
    do update set scopes = excluded.scopes, granted_at = excluded.granted_at, revoked_at = null`)

/** Stores a consent; it takes the place of an earlier one. */
export async function putConsent(on: RequestSql, consent: NewConsent, now: Date): Promise<void> {
  await on.query(putConsentStatement(consent, now))
}

const selectGrantsStatement = (userId: string): Statement =>
  compile(sql`
    select c.id as "clientId", c.client_name as name, c.client_uri as uri, c.logo_uri as "logoUri", o.scopes,
      o.granted_at as "grantedAt"
    from auth.oauth_consents o
    join auth.oauth_clients c on c.id = o.client_id and c.deleted_at is null
    where o.user_id = ${userId} and o.revoked_at is null
    order by o.granted_at desc, o.id`)

/** A user's consents, newest first. */
export async function listGrants(on: RequestSql, userId: string): Promise<readonly GrantRow[]> {
  return (await on.query<GrantRow>(selectGrantsStatement(userId))).rows
}

function revokeConsentStatement(userId: string, clientId: string, now: Date): Statement {
  const user = typed(userId, 'uuid')
  const client = typed(clientId, 'uuid')
  return compile(sql`
    with revoked as (
      update auth.oauth_consents set revoked_at = ${now}
      where user_id = ${user} and client_id = ${client} and revoked_at is null
      returning id
    ), sessions as (
      delete from auth.sessions
      where user_id = ${user} and oauth_client_id = ${client} and exists (select from revoked)
    ), requests as (
      delete from auth.oauth_authorizations
      where user_id = ${user} and client_id = ${client} and exists (select from revoked)
    )
    select id from revoked`)
}

/** Takes a consent back and ends the client's sessions and requests; false when there was none. */
export async function revokeConsent(on: RequestSql, userId: string, clientId: string, now: Date): Promise<boolean> {
  return (await on.query(revokeConsentStatement(userId, clientId, now))).rows.length > 0
}
