import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { RequestContext } from '../model/call.ts'
import type { CodeChallenge } from '../model/code-challenge.ts'
import { networkOf } from '../model/network.ts'
import type { OfSignUp, TokenKind } from '../model/one-time-token.ts'
import type { ExternalSignIn } from '../model/provided-user.ts'
import type { RequestSql } from './database.ts'

interface NewOneTimeToken {
  readonly id: string
  readonly userId: string
  readonly kind: TokenKind
  readonly hash: string
  readonly address: string
  /** Whether it answers the sign-up that chose the account's password; once it does not, later ones do not either. */
  readonly ofSignUp?: OfSignUp
}

function putOneTimeTokenStatement(remoteAddress: string, token: NewOneTimeToken, now: Date): Statement {
  const at = sql`${typed(now, 'timestamptz')} at time zone 'utc'`
  return compile(sql`
    insert into auth.one_time_tokens (
      id, user_id, token_type, token_hash, relates_to, created_at, updated_at, requester, of_sign_up
    )
    values (
      ${token.id}, ${token.userId}, ${typed(token.kind, 'auth.one_time_token_type')}, ${token.hash},
      ${token.address.toLowerCase()}, ${at}, ${at}, ${networkOf(remoteAddress)},
      ${(token.ofSignUp ?? true) === true}
    )
    on conflict (user_id, token_type)
    do update set token_hash = excluded.token_hash, relates_to = excluded.relates_to, updated_at = excluded.updated_at,
      requester = excluded.requester, guesses_of_requester = 0, guesses_of_others = 0,
      of_sign_up = one_time_tokens.of_sign_up and (
        excluded.of_sign_up
        or (${token.ofSignUp === 'from there'} and one_time_tokens.requester = excluded.requester)
      )`)
}

/** Stores a token; it takes the place of an earlier one of its kind. */
export async function putOneTimeToken(on: RequestSql, token: NewOneTimeToken, now: Date): Promise<void> {
  await on.query(putOneTimeTokenStatement(on.context.remoteAddress, token, now))
}

/** A token that was taken. */
export interface TakenToken {
  readonly userId: string
  readonly kind: TokenKind
  readonly hash: string
  /** The address it was made for. */
  readonly address: string
  /** Whether it answers the sign-up that chose the account's password. */
  readonly ofSignUp: boolean
}

const takeOneTimeTokenStatement = (hashes: readonly string[], kinds: readonly TokenKind[]): Statement =>
  compile(sql`
    delete from auth.one_time_tokens
    where token_hash = any (${typed(hashes, 'text[]')})
      and token_type = any (${typed(kinds, 'auth.one_time_token_type[]')})
    returning user_id as "userId", token_type::text as kind, token_hash as hash, relates_to as address,
      of_sign_up as "ofSignUp"`)

/** Takes the token of a link away: of simultaneous callers one gets it, the others find nothing. */
export async function takeOneTimeToken(
  on: RequestSql,
  hashes: readonly string[],
  kinds: readonly TokenKind[],
): Promise<TakenToken | undefined> {
  return (await on.query<TakenToken>(takeOneTimeTokenStatement(hashes, kinds))).rows[0]
}

/** A code that was typed. */
export interface Guess {
  /** The forms it may be stored in. */
  readonly hashes: readonly string[]
  readonly kinds: readonly TokenKind[]
  /** The e-mail address or phone number that it was typed for. */
  readonly address: string
  /** Wrong guesses after which a code is void. */
  readonly limit: number
}

const isNear = (context: RequestContext): SqlFragment =>
  sql`(t.requester = ${typed(networkOf(context.remoteAddress), 'text')})`

const isStillGood = (limit: number, context: RequestContext): SqlFragment => sql`
  case when ${isNear(context)} then t.guesses_of_requester else t.guesses_of_others end < ${typed(limit, 'integer')}`

const countOne = (context: RequestContext): SqlFragment => sql`
  guesses_of_requester = t.guesses_of_requester + ${isNear(context)}::int,
  guesses_of_others = t.guesses_of_others + (not ${isNear(context)})::int`

function takeGuessedTokenStatement(context: RequestContext, { hashes, kinds, address, limit }: Guess): Statement {
  const isRight = sql`t.token_hash = any (${typed(hashes, 'text[]')})`
  const isAsked = sql`t.token_type = any (${typed(kinds, 'auth.one_time_token_type[]')})`
  return compile(sql`
    with taken as (
      delete from auth.one_time_tokens t
      where ${isRight} and ${isAsked} and ${isStillGood(limit, context)}
      returning t.user_id, t.token_type, t.token_hash, t.relates_to, t.of_sign_up
    ), counted as (
      update auth.one_time_tokens t set ${countOne(context)}
      where t.relates_to = ${address} and ${isAsked} and not ${isRight} and not exists (select from taken)
    )
    select user_id as "userId", token_type::text as kind, token_hash as hash, relates_to as address,
      of_sign_up as "ofSignUp"
    from taken`)
}

/**
 * Takes the token of a typed code away, or counts the guess against the codes that it was not. One statement: however many
 * guesses come at once, each waits for the row of the one before. The transaction has to be committed either way.
 */
export async function takeGuessedToken(on: RequestSql, guess: Guess): Promise<TakenToken | undefined> {
  return (await on.query<TakenToken>(takeGuessedTokenStatement(on.context, guess))).rows[0]
}

const countGuessStatement = (context: RequestContext, { kinds, address, limit }: Omit<Guess, 'hashes'>): Statement =>
  compile(sql`
    update auth.one_time_tokens t set ${countOne(context)}
    where t.relates_to = ${address} and t.token_type = any (${typed(kinds, 'auth.one_time_token_type[]')})
      and ${isStillGood(limit, context)}
    returning t.id`)

/**
 * Counts a guess before an SMS provider is asked about it: right ones count, too.
 *
 * @returns false when there is no code, or it is void
 */
export async function countGuess(on: RequestSql, guess: Omit<Guess, 'hashes'>): Promise<boolean> {
  return (await on.query(countGuessStatement(on.context, guess))).rows.length > 0
}

const selectIsOfSignUpStatement = (userId: string, kind: TokenKind): Statement =>
  compile(sql`
    select of_sign_up as "ofSignUp" from auth.one_time_tokens
    where user_id = ${userId} and token_type = ${typed(kind, 'auth.one_time_token_type')}`)

/** Whether the pending code of a kind answers the sign-up that chose the account's password; false where there is none. */
export async function isOfSignUp(on: RequestSql, userId: string, kind: TokenKind): Promise<boolean> {
  return (await on.query<{ ofSignUp: boolean }>(selectIsOfSignUpStatement(userId, kind))).rows[0]?.ofSignUp ?? false
}

const clearOneTimeTokensStatement = (userId: string): Statement =>
  compile(sql`
    with tokens as (delete from auth.one_time_tokens where user_id = ${typed(userId, 'uuid')})
    update auth.users
    set confirmation_token = '', recovery_token = '', email_change_token_new = '', email_change_token_current = '',
      phone_change_token = '', reauthentication_token = ''
    where id = ${userId}`)

/** Makes every pending code and link of a user worthless. */
export async function clearOneTimeTokens(on: RequestSql, userId: string): Promise<void> {
  await on.query(clearOneTimeTokensStatement(userId))
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
  /** The provider's own tokens, answered with the code's session, once. */
  readonly providerToken: string | null
  readonly providerRefreshToken: string | null
  /** When the code began to live. */
  readonly issuedAt: Date
  /** When the session it begins must end, as an identity provider said; else null. */
  readonly sessionNotAfter: Date | null
  /** The sign-in that the exchange adds to the user; null for a sign-in. */
  readonly pending: ExternalSignIn | null
  /** Where the flow was to lead. */
  readonly redirectTo: string
}

interface NewFlow {
  readonly id: string
  readonly userId: string
  readonly code: string
  readonly challenge: CodeChallenge
  readonly method: string
}

const insertFlowStatement = (flow: NewFlow, now: Date): Statement =>
  compile(sql`
    insert into auth.flow_state (
      id, user_id, auth_code, code_challenge_method, code_challenge, provider_type, created_at, updated_at,
      authentication_method
    )
    values (
      ${flow.id}, ${flow.userId}, ${flow.code}, ${typed(flow.challenge.method, 'auth.code_challenge_method')},
      ${flow.challenge.challenge}, 'email', ${now}, ${now}, ${flow.method}
    )`)

/** Stores a flow whose code is answered when its mail is followed. */
export async function insertFlow(on: RequestSql, flow: NewFlow, now: Date): Promise<void> {
  await on.query(insertFlowStatement(flow, now))
}

const issueFlowCodeStatement = (userId: string, method: string, now: Date): Statement =>
  compile(sql`
    update auth.flow_state set auth_code_issued_at = ${now}, updated_at = ${now}
    where id = (
      select id from auth.flow_state
      where user_id = ${userId} and authentication_method = ${method} and code_challenge is not null
      order by created_at desc limit 1
    )
    returning auth_code as code`)

/** The code of a user's newest flow of a method; from now on its lifetime is counted. */
export async function issueFlowCode(
  on: RequestSql,
  userId: string,
  method: string,
  now: Date,
): Promise<string | undefined> {
  return (await on.query<{ code: string }>(issueFlowCodeStatement(userId, method, now))).rows[0]?.code
}

const lockFlowStatement = (code: string): Statement =>
  compile(sql`
    select id, user_id as "userId", code_challenge as challenge, code_challenge_method::text as "challengeMethod",
      authentication_method as method, provider_type as provider, provider_access_token as "providerToken",
      provider_refresh_token as "providerRefreshToken", coalesce(auth_code_issued_at, created_at) as "issuedAt",
      session_not_after as "sessionNotAfter", pending_sign_in as pending, coalesce(referrer, '') as "redirectTo"
    from auth.flow_state
    where auth_code = ${code} and user_id is not null and code_challenge is not null
    for update`)

/** The flow of a code, locked until the transaction ends. */
export async function lockFlow(on: RequestSql, code: string): Promise<FlowRow | undefined> {
  return (await on.query<FlowRow>(lockFlowStatement(code))).rows[0]
}

const deleteFlowStatement = (id: string): Statement => compile(sql`delete from auth.flow_state where id = ${id}`)

/** Ends a flow. */
export async function deleteFlow(on: RequestSql, id: string): Promise<void> {
  await on.query(deleteFlowStatement(id))
}
