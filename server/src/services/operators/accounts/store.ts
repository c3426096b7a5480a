import type { Sql } from '../../../engines/postgres/index.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { constant, sql, typed } from '../../../ground/sql/sql.ts'

/** What an operator is to the team: owner (everything, and the team), developer, analyst (no table data), viewer. */
export type OperatorRole = 'owner' | 'developer' | 'analyst' | 'viewer'

/** Somebody of the team. */
export interface Operator {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: OperatorRole
}

/** Of alias `o`. */
export const operatorColumns = constant('o.id, o.name, o.email, o.role')

/** Whether there is anybody yet. */
export async function hasOperators(on: Sql): Promise<boolean> {
  const { rows } = await on.query(compile(sql`select from clew_operators.operators limit 1`))
  return rows.length > 0
}

/** The account of an address, with its hash. */
export async function findAccount(
  on: Sql,
  email: string,
): Promise<(Operator & { readonly passwordHash: string }) | undefined> {
  const { rows } = await on.query<Operator & { passwordHash: string }>(
    compile(sql`
      select ${operatorColumns}, o.password_hash as "passwordHash"
      from clew_operators.operators o
      where o.email = ${email}`),
  )
  return rows[0]
}

/** The account of an id. */
export async function findOperator(on: Sql, id: string): Promise<Operator | undefined> {
  const { rows } = await on.query<Operator>(
    compile(sql`select ${operatorColumns} from clew_operators.operators o where o.id = ${typed(id, 'uuid')}`),
  )
  return rows[0]
}

/** Puts one set-up token in place of every earlier one. */
export async function replaceSetupToken(on: Sql, tokenHash: string, now: Date, expiresAt: Date): Promise<void> {
  await on.transaction(async (transaction) => {
    await transaction.query(compile(sql`delete from clew_operators.setup_tokens`))
    await transaction.query(
      compile(sql`
        insert into clew_operators.setup_tokens (token_hash, created_at, expires_at)
        values (${tokenHash}, ${now}, ${expiresAt})`),
    )
  })
}

/**
 * Makes the first operator, if the token is good and there is none. The token is deleted in the same transaction, and its
 * row's lock lets one of several callers through.
 */
export async function claimSetup(
  on: Sql,
  tokenHash: string,
  owner: Operator & { readonly passwordHash: string },
  now: Date,
): Promise<boolean> {
  return on.transaction(async (transaction) => {
    const { rowCount } = await transaction.query(
      compile(sql`delete from clew_operators.setup_tokens where token_hash = ${tokenHash} and expires_at > ${now}`),
    )
    if (rowCount === 0) return false
    const inserted = await transaction.query(
      compile(sql`
        insert into clew_operators.operators (id, email, name, password_hash, role, created_at)
        select ${typed(owner.id, 'uuid')}, ${typed(owner.email, 'text')}, ${typed(owner.name, 'text')},
          ${typed(owner.passwordHash, 'text')}, ${typed(owner.role, 'text')}, ${typed(now, 'timestamptz')}
        where not exists (select from clew_operators.operators)`),
    )
    return inserted.rowCount === 1
  })
}

/** Whether a set-up token could be used now. */
export async function isSetupToken(on: Sql, tokenHash: string, now: Date): Promise<boolean> {
  const { rows } = await on.query(
    compile(sql`
      select from clew_operators.setup_tokens where token_hash = ${tokenHash} and expires_at > ${now}`),
  )
  return rows.length > 0
}

/** Keys every password hash that is older than the pepper. */
export async function keyOlderHashes(on: Sql, keyHash: (stored: string) => string | null): Promise<void> {
  const { rows } = await on.query<{ id: string; stored: string }>(
    compile(sql`select id, password_hash as stored from clew_operators.operators where password_hash like 'scrypt$%'`),
  )
  for (const { id, stored } of rows)
    await on.query(
      compile(sql`
        update clew_operators.operators set password_hash = ${keyHash(stored) ?? stored}
        where id = ${typed(id, 'uuid')} and password_hash = ${stored}`),
    )
}
