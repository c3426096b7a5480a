import { compile, type Statement } from '../../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../../ground/sql/sql.ts'
import type { CodeChallenge } from '../../model/code-challenge.ts'
import type { RequestSql } from '../../store/database.ts'

/** A client's request, until its code is exchanged. */
export interface AuthorizationRow {
  readonly id: string
  readonly authorizationId: string
  readonly clientId: string
  /** The user who looked at it first, and whose it is since. */
  readonly userId: string | null
  readonly redirectUri: string
  readonly scope: string
  readonly state: string | null
  readonly resource: string | null
  readonly nonce: string | null
  readonly challenge: string
  readonly challengeMethod: CodeChallenge['method']
  readonly status: 'pending' | 'approved' | 'denied' | 'expired'
  readonly expiresAt: Date
}

const columns = sql`
  a.id, a.authorization_id as "authorizationId", a.client_id as "clientId", a.user_id as "userId",
  a.redirect_uri as "redirectUri", a.scope, a.state, a.resource, a.nonce, a.code_challenge as challenge,
  a.code_challenge_method::text as "challengeMethod", a.status::text as status, a.expires_at as "expiresAt"`

const insertAuthorizationStatement = (request: Omit<AuthorizationRow, 'userId' | 'status'>, now: Date): Statement =>
  compile(sql`
    insert into auth.oauth_authorizations (
      id, authorization_id, client_id, redirect_uri, scope, state, resource, nonce, code_challenge,
      code_challenge_method, created_at, expires_at
    )
    values (
      ${request.id}, ${request.authorizationId}, ${request.clientId}, ${request.redirectUri}, ${request.scope},
      ${request.state}, ${request.resource}, ${request.nonce}, ${request.challenge},
      ${typed(request.challengeMethod, 'auth.code_challenge_method')}, ${now}, ${request.expiresAt}
    )`)

/** Stores a request until its user has decided. */
export async function insertAuthorization(
  on: RequestSql,
  request: Omit<AuthorizationRow, 'userId' | 'status'>,
  now: Date,
): Promise<void> {
  await on.query(insertAuthorizationStatement(request, now))
}

const lockAuthorizationStatement = (authorizationId: string): Statement =>
  compile(sql`
    select ${columns}
    from auth.oauth_authorizations a
    join auth.oauth_clients c on c.id = a.client_id and c.deleted_at is null
    where a.authorization_id = ${authorizationId}
    for update of a`)

/** A request of a client that is still there, locked until the transaction ends: of two decisions one counts. */
export async function lockAuthorization(
  on: RequestSql,
  authorizationId: string,
): Promise<AuthorizationRow | undefined> {
  return (await on.query<AuthorizationRow>(lockAuthorizationStatement(authorizationId))).rows[0]
}

const lockAuthorizationByCodeStatement = (codeHash: string): Statement =>
  compile(sql`
    select ${columns} from auth.oauth_authorizations a
    where a.authorization_code = ${codeHash} and a.status = 'approved'
    for update of a`)

/** The request whose code this is, locked until the transaction ends. */
export async function lockAuthorizationByCode(on: RequestSql, codeHash: string): Promise<AuthorizationRow | undefined> {
  return (await on.query<AuthorizationRow>(lockAuthorizationByCodeStatement(codeHash))).rows[0]
}

const bindAuthorizationStatement = (id: string, userId: string): Statement =>
  compile(sql`update auth.oauth_authorizations set user_id = ${userId} where id = ${id} and user_id is null`)

/** Gives a request to the first user who looks at it. */
export async function bindAuthorization(on: RequestSql, id: string, userId: string): Promise<void> {
  await on.query(bindAuthorizationStatement(id, userId))
}

const approveAuthorizationStatement = (id: string, codeHash: string, now: Date): Statement =>
  compile(sql`
    update auth.oauth_authorizations
    set status = 'approved', approved_at = ${now}, authorization_code = ${codeHash}
    where id = ${id} and status = 'pending'`)

/** Notes that the user agreed, and the code that says so to the client. */
export async function approveAuthorization(on: RequestSql, id: string, codeHash: string, now: Date): Promise<void> {
  await on.query(approveAuthorizationStatement(id, codeHash, now))
}

const closeAuthorizationStatement = (id: string, status: 'denied' | 'expired'): Statement =>
  compile(sql`
    update auth.oauth_authorizations
    set status = ${typed(status, 'auth.oauth_authorization_status')}
    where id = ${id} and status = 'pending'`)

/** Ends a request that was not agreed to. */
export async function closeAuthorization(on: RequestSql, id: string, status: 'denied' | 'expired'): Promise<void> {
  await on.query(closeAuthorizationStatement(id, status))
}

const deleteAuthorizationStatement = (id: string): Statement =>
  compile(sql`delete from auth.oauth_authorizations where id = ${id}`)

/** Takes a request away when its code was exchanged: a code is good once. */
export async function deleteAuthorization(on: RequestSql, id: string): Promise<void> {
  await on.query(deleteAuthorizationStatement(id))
}
