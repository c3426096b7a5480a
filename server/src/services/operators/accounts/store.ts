import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, sql, typed } from '../../../ground/sql/sql.ts'

/** The right of an operator: owner (everything, and the team), developer, analyst (no table data), viewer. */
export type OperatorRole = 'owner' | 'developer' | 'analyst' | 'viewer'

/** A member of the team that uses the console. */
export interface Operator {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: OperatorRole
}

/** An operator with the hash that their password is checked against. */
export interface Account extends Operator {
  readonly passwordHash: string
}

/** The columns of an `Operator`, of table alias `o`. */
export const operatorColumns = constant('o.id, o.name, o.email, o.role')

/** Whether an operator exists. */
export const hasOperators = async (on: Sql): Promise<boolean> =>
  (await on.query(selectAnyOperatorStatement())).rows.length > 0

const selectAnyOperatorStatement = (): Statement => compile(sql`select from clew_operators.operators limit 1`)

/** The account of an e-mail address in lower case. */
export const findAccount = async (on: Sql, email: string): Promise<Account | undefined> =>
  (await on.query<Account>(selectAccountStatement(email))).rows[0]

const selectAccountStatement = (email: string): Statement =>
  compile(sql`
    select ${operatorColumns}, o.password_hash as "passwordHash"
    from clew_operators.operators o
    where o.email = ${email}`)

/** The operator of an id. */
export const findOperator = async (on: Sql, id: string): Promise<Operator | undefined> =>
  (await on.query<Operator>(selectOperatorStatement(id))).rows[0]

const selectOperatorStatement = (id: string): Statement =>
  compile(sql`select ${operatorColumns} from clew_operators.operators o where o.id = ${typed(id, 'uuid')}`)

/** The time during which a set-up token can be used. */
interface Validity {
  readonly from: Date
  readonly until: Date
}

/** Makes one set-up token valid in place of every earlier one. */
export const replaceSetupToken = (on: Sql, tokenHash: string, validity: Validity): Promise<void> =>
  on.transaction(async (transaction) => {
    await transaction.query(deleteSetupTokensStatement())
    await transaction.query(insertSetupTokenStatement(tokenHash, validity))
  })

const deleteSetupTokensStatement = (): Statement => compile(sql`delete from clew_operators.setup_tokens`)

const insertSetupTokenStatement = (tokenHash: string, { from, until }: Validity): Statement =>
  compile(sql`
    insert into clew_operators.setup_tokens (token_hash, created_at, expires_at)
    values (${tokenHash}, ${from}, ${until})`)

/** Whether a set-up token is valid at `now`. */
export const isSetupToken = async (on: Sql, tokenHashes: readonly string[], now: Date): Promise<boolean> =>
  (await on.query(selectSetupTokenStatement(tokenHashes, now))).rows.length > 0

const selectSetupTokenStatement = (tokenHashes: readonly string[], now: Date): Statement =>
  compile(sql`
    select from clew_operators.setup_tokens
    where token_hash = any (${typed(tokenHashes, 'text[]')}) and expires_at > ${now}`)

/**
 * Makes the first operator, if the token is valid and there is none. The token is deleted in the same transaction, and its
 * row's lock lets one of several callers through.
 *
 * @returns whether the operator was made
 */
export const claimSetup = (on: Sql, tokenHashes: readonly string[], owner: Account, now: Date): Promise<boolean> =>
  on.transaction(async (transaction) => {
    const { rowCount } = await transaction.query(deleteSetupTokenStatement(tokenHashes, now))
    return rowCount !== 0 && (await transaction.query(insertFirstOperatorStatement(owner, now))).rowCount === 1
  })

const deleteSetupTokenStatement = (tokenHashes: readonly string[], now: Date): Statement =>
  compile(sql`
    delete from clew_operators.setup_tokens
    where token_hash = any (${typed(tokenHashes, 'text[]')}) and expires_at > ${now}`)

const insertFirstOperatorStatement = (owner: Account, now: Date): Statement =>
  compile(sql`
    insert into clew_operators.operators (id, email, name, password_hash, role, created_at)
    select ${typed(owner.id, 'uuid')}, ${typed(owner.email, 'text')}, ${typed(owner.name, 'text')},
      ${typed(owner.passwordHash, 'text')}, ${typed(owner.role, 'text')}, ${typed(now, 'timestamptz')}
    where not exists (select from clew_operators.operators)`)

/** Adds the pepper to every password hash that was made before there was one. */
export async function pepperHashes(on: Sql, pepperHash: (hash: string) => string): Promise<void> {
  const { rows } = await on.query<{ id: string; hash: string }>(selectHashesWithoutPepperStatement())
  for (const { id, hash } of rows) await on.query(updateHashStatement(id, hash, pepperHash(hash)))
}

const selectHashesWithoutPepperStatement = (): Statement =>
  compile(sql`select id, password_hash as hash from clew_operators.operators where password_hash like 'scrypt$%'`)

/** Replaces a password's hash by another of it: its salt names the account. */
export const replaceHash = async (on: Sql, before: string, after: string): Promise<void> => {
  await on.query(replaceHashStatement(before, after))
}

const replaceHashStatement = (before: string, after: string): Statement =>
  compile(sql`update clew_operators.operators set password_hash = ${after} where password_hash = ${before}`)

const updateHashStatement = (id: string, before: string, after: string): Statement =>
  compile(sql`
    update clew_operators.operators set password_hash = ${after}
    where id = ${typed(id, 'uuid')} and password_hash = ${before}`)
