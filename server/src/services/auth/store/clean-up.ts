import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { identifier, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

/** Rows of one kind that ended before an instant. */
export interface Leftover {
  readonly kind: keyof typeof conditions
  readonly before: Date
}

const olderThan = (column: string) => (before: SqlFragment) => sql`${identifier('r', column)} < ${before}`

/** The table of each kind, and which of its rows are leftovers. */
const conditions = {
  'revoked tokens': {
    table: 'refresh_tokens',
    // The parent of a valid token stays: a client that lost the answer with the child may still send it.
    rows: (before: SqlFragment) => sql`
      r.revoked and r.updated_at < ${before}
      and not exists (select 1 from auth.refresh_tokens c where c.parent = r.token and not coalesce(c.revoked, false))`,
  },
  'ended sessions': { table: 'sessions', rows: olderThan('not_after') },
  'old sessions': { table: 'sessions', rows: olderThan('created_at') },
  'idle sessions': {
    table: 'sessions',
    rows: (before: SqlFragment) => sql`coalesce(r.refreshed_at at time zone 'utc', r.created_at) < ${before}`,
  },
  flows: { table: 'flow_state', rows: olderThan('created_at') },
  'relay states': { table: 'saml_relay_states', rows: olderThan('created_at') },
  'client states': { table: 'oauth_client_states', rows: olderThan('created_at') },
  authorizations: { table: 'oauth_authorizations', rows: olderThan('expires_at') },
  challenges: { table: 'mfa_challenges', rows: olderThan('created_at') },
  'unverified factors': {
    table: 'mfa_factors',
    rows: (before: SqlFragment) => sql`r.status = 'unverified' and r.updated_at < ${before}`,
  },
  /** Of passkeys. */
  ceremonies: { table: 'webauthn_challenges', rows: olderThan('expires_at') },
  /** Messages and assertions that were accepted once and are too old by now. */
  'messages and assertions': { table: 'single_use', rows: olderThan('expires_at') },
  codes: {
    table: 'one_time_tokens',
    // One that was not asked for by its account's sign-up stays as a mark: so must be the next one.
    rows: (before: SqlFragment) => sql`r.of_sign_up and r.updated_at at time zone 'utc' < ${before}`,
  },
  'audit entries': { table: 'audit_log_entries', rows: olderThan('created_at') },
  'anonymous users': {
    table: 'users',
    rows: (before: SqlFragment) => sql`r.is_anonymous and r.created_at < ${before}`,
  },
} as const

function deleteLeftoversStatement({ kind, before }: Leftover, limit: number): Statement {
  const { table, rows } = conditions[kind]
  const name = identifier('auth', table)
  return compile(sql`
    delete from ${name}
    where id in (
      select r.id from ${name} r
      where ${rows(sql`${typed(before, 'timestamptz')}`)}
      limit ${limit}
      for update of r skip locked
    )
    returning id`)
}

/** Deletes at most `limit` unlocked rows. @returns how many were deleted */
export async function deleteSome(on: Sql, leftover: Leftover, limit: number): Promise<number> {
  return (await on.query(deleteLeftoversStatement(leftover, limit))).rows.length
}
