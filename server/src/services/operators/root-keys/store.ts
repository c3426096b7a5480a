import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, identifier, sql, typed } from '../../../ground/sql/sql.ts'

/** Hashes, or sealed texts, of a table. */
export interface Counted {
  readonly table: string
  readonly column: string
}

/** `0123456789abcdef.hash`; of a password the root key is the last part: `…$hash$0123456789abcdef`. */
const rootIdOf = ({ column }: Counted) =>
  column === 'password_hash'
    ? constant(`split_part(password_hash, '$', 7)`)
    : sql`split_part(${identifier(column)}, '.', 1)`

const tableOf = ({ table }: Counted) => identifier('clew_operators', table)

export const countStatement = (counted: Counted): Statement =>
  compile(sql`
    select ${rootIdOf(counted)} as "rootId", count(*)::int as count
    from ${tableOf(counted)}
    group by 1`)

export const endStatement = (counted: Counted, rootId: string): Statement =>
  compile(sql`delete from ${tableOf(counted)} where ${rootIdOf(counted)} = ${rootId}`)

export const nameHashesStatement = (counted: Counted, rootId: string): Statement =>
  compile(sql`
    update ${tableOf(counted)}
    set ${identifier(counted.column)} = ${typed(`${rootId}.`, 'text')} || ${identifier(counted.column)}
    where strpos(${identifier(counted.column)}, '.') = 0`)

export const namePasswordsStatement = (rootId: string): Statement =>
  compile(sql`
    update clew_operators.operators
    set password_hash = password_hash || ${typed(`$${rootId}`, 'text')}
    where password_hash like 'scrypt-hmac$%' and split_part(password_hash, '$', 7) = ''`)

export const selectAppsStatement = (): Statement =>
  compile(sql`
    select operator_id as id, sealed_secret as sealed, split_part(sealed_secret, '.', 1) as "rootId"
    from clew_operators.operator_totp`)

/** One that was set up anew meanwhile stays. */
export const updateAppStatement = (id: string, before: string, after: string): Statement =>
  compile(sql`
    update clew_operators.operator_totp set sealed_secret = ${after}
    where operator_id = ${typed(id, 'uuid')} and sealed_secret = ${before}`)
