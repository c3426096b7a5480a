import type { Sql } from '../../../engines/postgres/index.ts'
import type { KeySet } from '../../../ground/jwt/keys.ts'
import { signToken } from '../../../ground/jwt/sign.ts'
import { type ClaimedUser, claimsOfUser, selectClaimedUser } from '../../../ground/jwt/user-claims.ts'
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
  const { rows } = await database.query<ClaimedUser>(selectClaimedUser(choice.user))
  const [user] = rows
  if (user === undefined) throw toolError('CLEW_FUNCTIONS_USER_NOT_FOUND')
  const iat = Math.floor(now().getTime() / 1000)
  return signToken({ ...claimsOfUser(user), iat, exp: iat + lifeSeconds }, tokens.signing)
}
