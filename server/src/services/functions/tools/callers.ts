import type { Sql } from '../../../engines/postgres/index.ts'
import type { KeySet } from '../../../ground/jwt/keys.ts'
import { signToken } from '../../../ground/jwt/sign.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import { toolError } from './errors.ts'

/** The caller in whose place an operator calls a function. */
export type CallerChoice =
  | { readonly kind: 'none' | 'anon' | 'service_role' }
  /** By e-mail address or id. */
  | { readonly kind: 'user'; readonly user: string }

export interface CallersDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly keys: () => { readonly anonKey: string; readonly serviceRoleKey: string; readonly tokens: KeySet }
  readonly now: () => Date
}

/** Long enough for one call. */
const lifeSeconds = 300

/** The token of a caller; null for none. @throws CLEW_FUNCTIONS_USER_NOT_FOUND */
export async function tokenOf(choice: CallerChoice, { sql: database, keys, now }: CallersDeps): Promise<string | null> {
  const { anonKey, serviceRoleKey, tokens } = keys()
  if (choice.kind === 'none') return null
  if (choice.kind !== 'user') return choice.kind === 'anon' ? anonKey : serviceRoleKey
  const { rows } = await database.query<UserRow>(selectUserStatement(choice.user))
  const [user] = rows
  if (user === undefined) throw toolError('CLEW_FUNCTIONS_USER_NOT_FOUND')
  const issuedAt = Math.floor(now().getTime() / 1000)
  // As a sign-in's token, but for the session: there is none.
  const claims = {
    aud: 'authenticated',
    exp: issuedAt + lifeSeconds,
    iat: issuedAt,
    sub: user.id,
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.appMetadata ?? {},
    user_metadata: user.userMetadata ?? {},
    role: user.role ?? 'authenticated',
    aal: 'aal1',
    is_anonymous: user.isAnonymous,
  }
  return signToken(claims, tokens.signing)
}

interface UserRow {
  readonly id: string
  readonly email: string | null
  readonly phone: string | null
  readonly role: string | null
  readonly appMetadata: unknown
  readonly userMetadata: unknown
  readonly isAnonymous: boolean
}

const selectUserStatement = (user: string): Statement =>
  compile(sql`
    select id::text as id, email, phone, nullif(role, '') as role, raw_app_meta_data as "appMetadata",
      raw_user_meta_data as "userMetadata", is_anonymous as "isAnonymous"
    from auth.users
    where (id::text = ${typed(user, 'text')} or lower(email) = lower(${typed(user, 'text')})) and deleted_at is null
    order by is_sso_user
    limit 1`)
