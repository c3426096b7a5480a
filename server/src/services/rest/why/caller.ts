import type { Session, Sql } from '../../../engines/postgres/index.ts'
import { type ClaimedUser, claimsOfUser, selectClaimedUser } from '../../../ground/jwt/user-claims.ts'
import type { Caller, Claims } from '../../../ground/model/caller.ts'
import { whyError } from '../errors.ts'
import type { RawRequest } from '../parse/request.ts'
import type { Planned } from '../rest.ts'
import { planTransaction } from '../transaction/transaction.ts'
import { type AsCaller, callerOfSession } from './look.ts'

/** In whose place a question is asked. */
export type AskedAs =
  | { readonly kind: 'anon' | 'authenticated' | 'service_role' }
  /** By e-mail address or id. */
  | { readonly kind: 'user'; readonly user: string }

/** The claims that a user's token would have now; null where there is no such user. */
export async function claimsOf(sql: Pick<Sql, 'query'>, user: string): Promise<Claims | null> {
  const { rows } = await sql.query<ClaimedUser>(selectClaimedUser(user))
  return rows[0] === undefined ? null : claimsOfUser(rows[0])
}

export const callerOf = (claims: Claims): Caller => ({
  role: String(claims.role),
  claims,
  claimsJson: JSON.stringify(claims),
  userId: typeof claims.sub === 'string' ? claims.sub : null,
  authSessionId: null,
})

/** @throws CLEW_WHY_USER_NOT_FOUND */
export async function callerAs(sql: Pick<Sql, 'query'>, as: AskedAs): Promise<Caller> {
  const claims = as.kind === 'user' ? await claimsOf(sql, as.user) : { role: as.kind }
  if (claims === null) throw whyError('CLEW_WHY_USER_NOT_FOUND')
  return callerOf(claims)
}

/** Runs statements in a caller's place: with the role, claims and settings that a request of theirs has. */
export function inPlaceOf(
  session: Session,
  { template, settings, before }: Planned,
  raw: RawRequest,
  caller: Caller,
): AsCaller {
  const transaction = planTransaction({ plan: template.plan, template, raw, caller, settings })
  const { settings: ofLogin, roleSettings, isolation } = transaction
  return callerOfSession(session, { role: caller.role, settings: ofLogin, roleSettings, isolation, before })
}
