import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { RequestSql } from './database.ts'

const logTypes = {
  login: 'account',
  logout: 'account',
  invite_accepted: 'account',
  user_signedup: 'team',
  user_invited: 'team',
  user_deleted: 'team',
  user_repeated_signup: 'user',
  user_confirmation_requested: 'user',
  user_recovery_requested: 'user',
  user_reauthenticate_requested: 'user',
  user_modified: 'user',
  user_updated_password: 'user',
  identity_linked: 'user',
  identity_unlinked: 'user',
  passkey_created: 'user',
  passkey_updated: 'user',
  passkey_deleted: 'user',
  factor_in_progress: 'factor',
  factor_unenrolled: 'factor',
  factor_updated: 'factor',
  factor_deleted: 'factor',
  challenge_created: 'factor',
  verification_attempted: 'factor',
  token_refreshed: 'token',
  token_revoked: 'token',
} as const

export type AuditAction = keyof typeof logTypes

/** The user or administrator who acts. */
export interface Actor {
  readonly id: string
  readonly email: string | null
  readonly phone?: string | null
  readonly isSsoUser: boolean
  readonly userMetadata?: Readonly<Record<string, unknown>>
}

/** An administrator: the nil UUID, and the role for a name (auth §28). */
export const administrator = ({ role }: { readonly role: string }): Actor => ({
  id: '00000000-0000-0000-0000-000000000000',
  email: role,
  isSsoUser: false,
})

/** Writes lines of the audit log in the caller's transaction; `traits` say more and never hold a secret. */
export type Audit = (
  sql: RequestSql,
  actor: Actor,
  actions: readonly AuditAction[],
  traits?: Readonly<Record<string, unknown>>,
) => Promise<void>

export const createAudit =
  ({ newId, now }: { readonly newId: () => string; readonly now: () => Date }): Audit =>
  async (on, actor, actions, traits) => {
    if (actions.length === 0) return
    const entries = actions.map((action) => ({ id: newId(), payload: renderPayload(actor, action, traits) }))
    await on.query(insertAuditStatement(entries, on.context.remoteAddress, now()))
  }

function insertAuditStatement(
  entries: readonly Pick<AuditEntry, 'id' | 'payload'>[],
  remoteAddress: string,
  now: Date,
): Statement {
  const ids = entries.map(({ id }) => id)
  const payloads = entries.map(({ payload }) => JSON.stringify(payload))
  return compile(sql`
    insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
    select '00000000-0000-0000-0000-000000000000', entry.id, entry.payload::json, ${now}, ${remoteAddress}
    from unnest(${typed(ids, 'uuid[]')}, ${typed(payloads, 'text[]')}) as entry (id, payload)`)
}

function renderPayload(
  actor: Actor,
  action: AuditAction,
  traits: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> {
  const name = actor.userMetadata?.full_name
  return {
    action,
    actor_id: actor.id,
    actor_username: actor.phone || actor.email || '',
    ...(typeof name === 'string' ? { actor_name: name } : {}),
    actor_via_sso: actor.isSsoUser,
    log_type: logTypes[action],
    ...(traits === undefined ? {} : { traits }),
  }
}

/** The filter of the log: `text` is looked for in texts of the payload, in any case. */
export interface AuditFilter {
  readonly fields: readonly ('actor_username' | 'actor_name' | 'action' | 'log_type')[]
  readonly text: string
}

export interface AuditEntry {
  readonly id: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly createdAt: Date | null
  readonly ipAddress: string
}

interface AuditPage {
  readonly offset: number
  readonly limit: number
}

const selectAuditStatement = (filter: AuditFilter | null, { offset, limit }: AuditPage): Statement =>
  compile(sql`
    select id, payload, created_at as "createdAt", ip_address as "ipAddress"
    from auth.audit_log_entries
    where ${conditionOf(filter)}
    order by created_at desc, id desc
    limit ${limit} offset ${offset}`)

const countAuditStatement = (filter: AuditFilter | null): Statement =>
  compile(sql`select count(*)::int as total from auth.audit_log_entries where ${conditionOf(filter)}`)

function conditionOf(filter: AuditFilter | null): SqlFragment {
  if (filter === null) return sql`true`
  // `position(… in …)` instead of LIKE: the text may hold `_` and `%`.
  const hits = filter.fields.map(
    (field) => sql`position(lower(${typed(filter.text, 'text')}) in lower(payload ->> ${typed(field, 'text')})) > 0`,
  )
  return sql`(${join(hits, ' or ')})`
}

/** A page of the audit log, newest first, and how many entries there are in all. */
export async function listAudit(
  on: RequestSql,
  filter: AuditFilter | null,
  page: AuditPage,
): Promise<{ readonly entries: readonly AuditEntry[]; readonly total: number }> {
  const { rows: entries } = await on.query<AuditEntry>(selectAuditStatement(filter, page))
  const counted = await on.query<{ total: number }>(countAuditStatement(filter))
  return { entries, total: counted.rows[0]?.total ?? 0 }
}
