import type { Sql } from '../../../engines/postgres/index.ts'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import { type ClaimedUser, claimsOfUser, selectClaimedUser } from '../../../ground/jwt/user-claims.ts'
import type { Claims } from '../../../ground/model/caller.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import { realtimeConsoleError } from './errors.ts'
import type { CallerChoice, MemberFacts } from './schemas.ts'

/** Where users of the application are found. */
export interface CallersDeps {
  readonly sql: Pick<Sql, 'query'>
}

/** The claims of the caller in whose place an operator joins. @throws CLEW_REALTIME_USER_NOT_FOUND */
export async function claimsOfChoice(choice: CallerChoice, { sql: database }: CallersDeps): Promise<Claims> {
  if (choice.kind !== 'user') return { role: choice.kind }
  const { rows } = await database.query<ClaimedUser>(selectClaimedUser(choice.user))
  const [user] = rows
  if (user === undefined) throw realtimeConsoleError('CLEW_REALTIME_USER_NOT_FOUND')
  return claimsOfUser(user)
}

/** The members, each with the address of its user where there is one. */
export async function withEmails(members: readonly MemberFacts[], { sql: database }: CallersDeps) {
  // The `sub` of a token may be any text.
  const ids = [...new Set(members.flatMap(({ userId }) => (userId !== null && isUuid(userId) ? userId : [])))]
  const { rows } =
    ids.length === 0 ? { rows: [] } : await database.query<{ id: string; email: string }>(selectEmails(ids))
  const emails = new Map(rows.map(({ id, email }) => [id, email]))
  return members.map((member) => ({ ...member, email: emails.get(member.userId?.toLowerCase() ?? '') ?? null }))
}

const selectEmails = (ids: readonly string[]): Statement =>
  compile(sql`
    select u.id::text as id, u.email
    from auth.users u
    where u.id = any(${typed(ids, 'uuid[]')}) and u.email is not null`)
