import type { Claims } from '../model/caller.ts'
import { compile, type Statement } from '../sql/postgres.ts'
import { sql, typed } from '../sql/sql.ts'

/** A user of the application, as far as tokens tell of them. */
export interface ClaimedUser {
  readonly id: string
  readonly email: string | null
  readonly phone: string | null
  readonly role: string | null
  readonly appMetadata: unknown
  readonly userMetadata: unknown
  readonly isAnonymous: boolean
}

/** Finds a `ClaimedUser` by e-mail address or id; a deleted one is not found. */
export const selectClaimedUser = (user: string): Statement =>
  compile(sql`
    select id::text as id, email, phone, nullif(role, '') as role, raw_app_meta_data as "appMetadata",
      raw_user_meta_data as "userMetadata", is_anonymous as "isAnonymous"
    from auth.users
    where (id::text = ${typed(user, 'text')} or lower(email) = lower(${typed(user, 'text')})) and deleted_at is null
    order by is_sso_user
    limit 1`)

/** The claims of a user's token but its times: as after a sign-in, but for the session, which there is none of. */
export const claimsOfUser = (user: ClaimedUser): Claims => ({
  aud: 'authenticated',
  sub: user.id,
  email: user.email ?? '',
  phone: user.phone ?? '',
  app_metadata: user.appMetadata ?? {},
  user_metadata: user.userMetadata ?? {},
  role: user.role ?? 'authenticated',
  aal: 'aal1',
  is_anonymous: user.isAnonymous,
})
