import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, sql, typed } from '../../../ground/sql/sql.ts'
import type { CodeChallenge } from '../model/code-challenge.ts'
import type { ExternalSignIn } from '../model/provided-user.ts'
import type { RequestSql } from './database.ts'

/** A sign-in with a provider that has begun; its id is the `state` that the provider brings back. */
export interface ExternalFlow {
  readonly id: string
  readonly provider: string
  /** The challenge that the exchange of the code must meet; null in the implicit flow. */
  readonly challenge: CodeChallenge | null
  /** Where the user goes in the end: checked against the allow-list when the flow began. */
  readonly redirectTo: string
  readonly inviteToken: string | null
  /** The user who adds this identity; null for a sign-in. */
  readonly linkingTargetId: string | null
  /** The row of the code verifier. */
  readonly clientStateId: string | null
  readonly emailOptional: boolean
  /** Of the cookie of the browser that began it; null where the exchange of a code proves who did. */
  readonly nonceHash: string | null
}

interface NewExternalFlow extends ExternalFlow {
  readonly code: string | null
}

const insertExternalFlowStatement = (flow: NewExternalFlow, now: Date): Statement =>
  compile(sql`
    insert into auth.flow_state (
      id, auth_code, code_challenge_method, code_challenge, provider_type, created_at, updated_at,
      authentication_method, invite_token, referrer, oauth_client_state_id, linking_target_id, email_optional,
      nonce_hash
    )
    values (
      ${flow.id}, ${flow.code}, ${typed(flow.challenge?.method ?? null, 'auth.code_challenge_method')},
      ${flow.challenge?.challenge ?? null}, ${flow.provider}, ${now}, ${now}, 'oauth', ${flow.inviteToken},
      ${flow.redirectTo}, ${typed(flow.clientStateId, 'uuid')}, ${typed(flow.linkingTargetId, 'uuid')},
      ${flow.emailOptional}, ${typed(flow.nonceHash, 'text')}
    )`)

/** Stores a flow that begins, with the code that it may end in. */
export async function insertExternalFlow(on: RequestSql, flow: NewExternalFlow, now: Date): Promise<void> {
  await on.query(insertExternalFlowStatement(flow, now))
}

/** A flow as its callback finds it. */
export interface ReturningFlow extends ExternalFlow {
  readonly createdAt: Date
  /** The user that the flow has signed in already. */
  readonly userId: string | null
  readonly code: string | null
}

const flowColumns = constant(`
  id, provider_type as provider,
  case when code_challenge is null then null
    else jsonb_build_object('challenge', code_challenge, 'method', code_challenge_method)
  end as challenge,
  coalesce(referrer, '') as "redirectTo", invite_token as "inviteToken", linking_target_id as "linkingTargetId",
  oauth_client_state_id as "clientStateId", email_optional as "emailOptional", nonce_hash as "nonceHash",
  created_at as "createdAt", user_id as "userId", auth_code as code`)

const selectExternalFlowStatement = (id: string): Statement =>
  compile(sql`
    select ${flowColumns} from auth.flow_state where id = ${typed(id, 'uuid')} and authentication_method = 'oauth'`)

/** A flow with a provider by its id; flows of mails have other methods and are not found. */
export async function findExternalFlow(on: RequestSql, id: string): Promise<ReturningFlow | undefined> {
  return (await on.query<ReturningFlow>(selectExternalFlowStatement(id))).rows[0]
}

interface FlowCompletion {
  readonly id: string
  readonly userId: string
  readonly accessToken: string
  readonly refreshToken: string | null
  /** The sign-in that the exchange is to add to the user; null for a sign-in that begins a session. */
  readonly pending: ExternalSignIn | null
}

const completeFlowStatement = (flow: FlowCompletion, now: Date): Statement =>
  compile(sql`
    update auth.flow_state
    set user_id = ${typed(flow.userId, 'uuid')}, provider_access_token = ${flow.accessToken},
      provider_refresh_token = ${flow.refreshToken},
      pending_sign_in = ${typed(flow.pending === null ? null : JSON.stringify(flow.pending), 'jsonb')},
      auth_code_issued_at = ${now}, updated_at = ${now}
    where id = ${typed(flow.id, 'uuid')} and user_id is null
    returning id`)

/** A flow's user and the provider's tokens, until its code is exchanged; false when it has a user already. */
export async function completeFlow(on: RequestSql, flow: FlowCompletion, now: Date): Promise<boolean> {
  return (await on.query(completeFlowStatement(flow, now))).rows.length > 0
}

const endFlowStatement = (id: string): Statement =>
  compile(sql`delete from auth.flow_state where id = ${typed(id, 'uuid')} returning id`)

/** Ends a flow; false when it has ended already. */
export async function endFlow(on: RequestSql, id: string): Promise<boolean> {
  return (await on.query(endFlowStatement(id))).rows.length > 0
}

/** The code verifier of a flow, for one callback. */
export interface ClientState {
  readonly provider: string
  readonly codeVerifier: string
  readonly createdAt: Date
}

interface NewClientState extends ClientState {
  readonly id: string
}

const insertClientStateStatement = (state: NewClientState): Statement =>
  compile(sql`
    insert into auth.oauth_client_states (id, provider_type, code_verifier, created_at)
    values (${state.id}, ${state.provider}, ${state.codeVerifier}, ${state.createdAt})`)

/** Stores the code verifier of a flow. */
export async function insertClientState(on: RequestSql, state: NewClientState): Promise<void> {
  await on.query(insertClientStateStatement(state))
}

const takeClientStateStatement = (id: string): Statement =>
  compile(sql`
    delete from auth.oauth_client_states
    where id = ${typed(id, 'uuid')}
    returning provider_type as provider, coalesce(code_verifier, '') as "codeVerifier", created_at as "createdAt"`)

/** Takes the code verifier of a flow: of concurrent callbacks one gets it. */
export async function takeClientState(on: RequestSql, id: string): Promise<ClientState | undefined> {
  return (await on.query<ClientState>(takeClientStateStatement(id))).rows[0]
}
