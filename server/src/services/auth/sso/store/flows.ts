import { compile, type Statement } from '../../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../../ground/sql/sql.ts'
import type { CodeChallenge } from '../../model/code-challenge.ts'
import type { RequestSql } from '../../store/database.ts'

/** The state of a sign-in while its user is away at their provider. */
export interface RelayState {
  readonly id: string
  readonly providerId: string
  readonly requestId: string
  readonly redirectTo: string
  /** The PKCE flow it ends in; null for an implicit one. */
  readonly flowId: string | null
  readonly createdAt: Date
}

type NewRelayState = Omit<RelayState, 'createdAt' | 'flowId'>

interface NewSsoFlow {
  readonly id: string
  readonly challenge: CodeChallenge
}

const insertSsoFlowStatement = (flow: NewSsoFlow, redirectTo: string, now: Date): Statement =>
  compile(sql`
    insert into auth.flow_state (
      id, code_challenge_method, code_challenge, provider_type, created_at, updated_at, authentication_method, referrer
    )
    values (
      ${flow.id}, ${typed(flow.challenge.method, 'auth.code_challenge_method')}, ${flow.challenge.challenge},
      'sso/saml', ${now}, ${now}, 'sso/saml', ${redirectTo}
    )`)

const insertRelayStateStatement = (relay: NewRelayState, flowId: string | null, now: Date): Statement =>
  compile(sql`
    insert into auth.saml_relay_states (
      id, sso_provider_id, request_id, redirect_to, created_at, updated_at, flow_state_id
    )
    values (
      ${relay.id}, ${relay.providerId}, ${relay.requestId}, ${relay.redirectTo}, ${now}, ${now},
      ${typed(flowId, 'uuid')}
    )`)

/** Stores a relay state, and the flow it ends in when there is one. */
export async function insertRelayState(
  on: RequestSql,
  relay: NewRelayState,
  flow: NewSsoFlow | null,
  now: Date,
): Promise<void> {
  if (flow !== null) await on.query(insertSsoFlowStatement(flow, relay.redirectTo, now))
  await on.query(insertRelayStateStatement(relay, flow?.id ?? null, now))
}

const takeRelayStateStatement = (id: string): Statement =>
  compile(sql`
    delete from auth.saml_relay_states where id = ${typed(id, 'uuid')}
    returning id, sso_provider_id as "providerId", request_id as "requestId",
      coalesce(redirect_to, '') as "redirectTo", flow_state_id as "flowId", created_at as "createdAt"`)

/** Takes a relay state away: of simultaneous responses with it one finds it. */
export async function takeRelayState(on: RequestSql, id: string): Promise<RelayState | undefined> {
  return (await on.query<RelayState>(takeRelayStateStatement(id))).rows[0]
}

interface FulfilledFlow {
  readonly id: string
  readonly userId: string
  readonly code: string
  readonly sessionNotAfter: Date | null
}

const fulfilFlowStatement = (flow: FulfilledFlow, now: Date): Statement =>
  compile(sql`
    update auth.flow_state
    set user_id = ${flow.userId}, auth_code = ${flow.code}, auth_code_issued_at = ${now}, updated_at = ${now},
      session_not_after = ${typed(flow.sessionNotAfter, 'timestamptz')}
    where id = ${flow.id} and user_id is null
    returning id`)

/** Gives a flow its user and the code to exchange; false when the flow is gone or has a user already. */
export async function fulfilFlow(on: RequestSql, flow: FulfilledFlow, now: Date): Promise<boolean> {
  return (await on.query(fulfilFlowStatement(flow, now))).rows.length > 0
}
