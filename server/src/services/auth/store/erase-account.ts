import type { RowsChoice } from '../../../ground/privacy/account.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { identifier, sql, typed } from '../../../ground/sql/sql.ts'

/** Addresses, numbers and names that auth knows of a user, each once, in column `texts`; no row for an unknown one. */
export const selectTextsStatement = (userId: string): Statement =>
  compile(sql`
    select array(
      select distinct btrim(text)
      from unnest(
        array[u.email, u.phone, '+' || nullif(u.phone, ''), u.email_change, nullif(u.phone_change, ''),
          u.raw_user_meta_data ->> 'full_name', u.raw_user_meta_data ->> 'name', u.raw_user_meta_data ->> 'email']
        || array(select i.identity_data ->> 'email' from auth.identities i where i.user_id = u.id)
      ) as text
      where btrim(text) <> ''
      order by 1
    ) as texts
    from auth.users u
    where u.id = ${typed(userId, 'uuid')}`)

/** What a choice does to the rows that name a user. */
export const applyChoiceStatement = ({ schema, table, column, action }: RowsChoice, userId: string): Statement => {
  const place = identifier(schema, table)
  const isTheirs = sql`where ${identifier(column)} = ${typed(userId, 'uuid')}`
  return compile(
    action === 'delete'
      ? sql`delete from ${place} ${isTheirs}`
      : sql`update ${place} set ${identifier(column)} = null ${isTheirs}`,
  )
}

/** The rows that name a user in one column, as JSON. */
export const selectRowsStatement = (
  { schema, table, column }: Pick<RowsChoice, 'schema' | 'table' | 'column'>,
  userId: string,
  limit: number,
): Statement =>
  compile(sql`
    select jsonb_build_object('table', ${`${schema}.${table}`}::text, 'row', to_jsonb(each))::text as row
    from ${identifier(schema, table)} each
    where ${identifier(column)} = ${typed(userId, 'uuid')}
    limit ${limit}`)

/** The account as JSON, without what signs in by itself: hashes, tokens, secrets of factors. */
export const selectAccountStatement = (userId: string): Statement =>
  compile(sql`
    select jsonb_build_object(
      'user', jsonb_build_object(
        'id', u.id, 'email', u.email, 'phone', u.phone, 'role', u.role, 'createdAt', u.created_at,
        'confirmedAt', u.confirmed_at, 'invitedAt', u.invited_at, 'lastSignInAt', u.last_sign_in_at,
        'bannedUntil', u.banned_until, 'userMetadata', u.raw_user_meta_data, 'appMetadata', u.raw_app_meta_data
      ),
      'identities', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'provider', i.provider, 'data', i.identity_data, 'createdAt', i.created_at, 'lastSignInAt', i.last_sign_in_at
        )), '[]')
        from auth.identities i where i.user_id = u.id
      ),
      'sessions', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', s.id, 'createdAt', s.created_at, 'refreshedAt', s.refreshed_at, 'userAgent', s.user_agent, 'address', host(s.ip)
        )), '[]')
        from auth.sessions s where s.user_id = u.id
      ),
      'factors', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'type', f.factor_type, 'name', f.friendly_name, 'status', f.status, 'createdAt', f.created_at
        )), '[]')
        from auth.mfa_factors f where f.user_id = u.id
      )
    )::text as row
    from auth.users u
    where u.id = ${typed(userId, 'uuid')}`)
