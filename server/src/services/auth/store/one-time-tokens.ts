import type { Sql } from '../../../engines/postgres/index.ts'
import type { RequestWork } from '../../../ground/model/request.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { CodeChallenge } from '../parse/challenge.ts'

/** What a one-time token is for. */
export type TokenKind =
  | 'confirmation_token'
  | 'recovery_token'
  | 'email_change_token_new'
  | 'email_change_token_current'
  | 'phone_change_token'
  | 'reauthentication_token'

/** Keeps a token; it takes the place of an earlier one of its kind. */
export async function putOneTimeToken(
  on: Sql,
  token: {
    readonly id: string
    readonly userId: string
    readonly kind: TokenKind
    readonly hash: string
    readonly address: string
  },
  now: Date,
  work: RequestWork,
): Promise<void> {
  const at = sql`${typed(now, 'timestamptz')} at time zone 'utc'`
  await on.query(
    compile(sql`
      insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
      values (
        ${token.id}, ${token.userId}, ${typed(token.kind, 'auth.one_time_token_type')}, ${token.hash}, ${token.address},
        ${at}, ${at}
      )
      on conflict (user_id, token_type)
      do update set token_hash = excluded.token_hash, relates_to = excluded.relates_to, updated_at = excluded.updated_at`),
    work,
  )
}

/** A token that was taken. */
export interface TakenToken {
  readonly userId: string
  readonly kind: TokenKind
  readonly hash: string
  /** The address it was made for. */
  readonly address: string
}

/** Takes a token away: of callers at the same moment one gets it, the others find nothing. */
export async function takeOneTimeToken(
  on: Sql,
  hashes: readonly string[],
  kinds: readonly TokenKind[],
  work: RequestWork,
): Promise<TakenToken | undefined> {
  const { rows } = await on.query<TakenToken>(
    compile(sql`
      delete from auth.one_time_tokens
      where token_hash = any (${typed(hashes, 'text[]')})
        and token_type = any (${typed(kinds, 'auth.one_time_token_type[]')})
      returning user_id as "userId", token_type::text as kind, token_hash as hash, relates_to as address`),
    work,
  )
  return rows[0]
}

/** Makes every pending code and link of a user worthless. */
export async function clearOneTimeTokens(on: Sql, userId: string, work: RequestWork): Promise<void> {
  await on.query(
    compile(sql`
      with tokens as (delete from auth.one_time_tokens where user_id = ${typed(userId, 'uuid')})
      update auth.users
      set confirmation_token = '', recovery_token = '', email_change_token_new = '', email_change_token_current = '',
        phone_change_token = '', reauthentication_token = ''
      where id = ${userId}`),
    work,
  )
}

/** A PKCE flow that has a user and waits for its code to be exchanged. */
export interface FlowRow {
  readonly id: string
  readonly userId: string
  readonly challenge: string
  readonly challengeMethod: 's256' | 'plain'
  readonly method: string
  /** `email` for mails. */
  readonly provider: string
  /** The provider's own tokens, given out with the code's session, once. */
  readonly providerToken: string | null
  readonly providerRefreshToken: string | null
  /** When the code began to live. */
  readonly issuedAt: Date
  /** When the session it begins must end, as an identity provider said; else null. */
  readonly sessionNotAfter: Date | null
}

/** Keeps a flow whose code will be given out when its mail is followed. */
export async function insertFlow(
  on: Sql,
  flow: {
    readonly id: string
    readonly userId: string
    readonly code: string
    readonly challenge: CodeChallenge
    readonly method: string
  },
  now: Date,
  work: RequestWork,
): Promise<void> {
  await on.query(
    compile(sql`
      insert into auth.flow_state (
        id, user_id, auth_code, code_challenge_method, code_challenge, provider_type, created_at, updated_at,
        authentication_method
      )
      values (
        ${flow.id}, ${flow.userId}, ${flow.code}, ${typed(flow.challenge.method, 'auth.code_challenge_method')},
        ${flow.challenge.challenge}, 'email', ${now}, ${now}, ${flow.method}
      )`),
    work,
  )
}

/** The code of a user's newest flow of a method; from now on its lifetime is counted. */
export async function issueFlowCode(
  on: Sql,
  userId: string,
  method: string,
  now: Date,
  work: RequestWork,
): Promise<string | undefined> {
  const { rows } = await on.query<{ code: string }>(
    compile(sql`
      update auth.flow_state set auth_code_issued_at = ${now}, updated_at = ${now}
      where id = (
        select id from auth.flow_state
        where user_id = ${userId} and authentication_method = ${method} and code_challenge is not null
        order by created_at desc limit 1
      )
      returning auth_code as code`),
    work,
  )
  return rows[0]?.code
}

/** The flow of a code, locked until the transaction ends. */
export async function lockFlow(on: Sql, code: string, work: RequestWork): Promise<FlowRow | undefined> {
  const { rows } = await on.query<FlowRow>(
    compile(sql`
      select id, user_id as "userId", code_challenge as challenge, code_challenge_method::text as "challengeMethod",
        authentication_method as method, provider_type as provider, provider_access_token as "providerToken",
        provider_refresh_token as "providerRefreshToken", coalesce(auth_code_issued_at, created_at) as "issuedAt",
        session_not_after as "sessionNotAfter"
      from auth.flow_state
      where auth_code = ${code} and user_id is not null and code_challenge is not null
      for update`),
    work,
  )
  return rows[0]
}

/** Ends a flow. */
export async function deleteFlow(on: Sql, id: string, work: RequestWork): Promise<void> {
  await on.query(compile(sql`delete from auth.flow_state where id = ${id}`), work)
}
