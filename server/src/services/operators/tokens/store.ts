import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import { type Operator, operatorColumns } from '../accounts/store.ts'

/** What a token opens: the routes of the command line, or the tools of agents. */
export type TokenPurpose = 'command line' | 'agent'

/** An access token without its secret. */
export interface AccessToken {
  readonly id: string
  readonly name: string
  readonly purpose: TokenPurpose
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly lastUsedAt: Date | null
  readonly lastUsedAddress: string | null
}

/** A token that is to be stored. */
export interface NewAccessToken extends Pick<AccessToken, 'id' | 'name' | 'purpose' | 'createdAt' | 'expiresAt'> {
  readonly operatorId: string
  readonly tokenHash: string
}

/** Stores a token, unless the operator has so many; deletes their expired ones. @returns whether it was stored */
export const insertAccessToken = async (on: Sql, token: NewAccessToken, most: number): Promise<boolean> =>
  (await on.query(insertAccessTokenStatement(token, most))).rowCount === 1

const insertAccessTokenStatement = (token: NewAccessToken, most: number): Statement =>
  compile(sql`
    with expired as (
      delete from clew_operators.access_tokens
      where operator_id = ${typed(token.operatorId, 'uuid')} and expires_at <= ${token.createdAt}
    )
    insert into clew_operators.access_tokens (id, operator_id, name, purpose, token_hash, created_at, expires_at)
    select
      ${typed(token.id, 'uuid')}, ${typed(token.operatorId, 'uuid')}, ${typed(token.name, 'text')}, ${token.purpose},
      ${typed(token.tokenHash, 'text')}, ${typed(token.createdAt, 'timestamptz')},
      ${typed(token.expiresAt, 'timestamptz')}
    where (
        select count(*) from clew_operators.access_tokens t
        where t.operator_id = ${typed(token.operatorId, 'uuid')} and t.expires_at > ${token.createdAt}
      ) < ${most}`)

/** The tokens of an operator, newest first. */
export const findAccessTokens = async (on: Sql, operatorId: string): Promise<readonly AccessToken[]> =>
  (await on.query<AccessToken>(selectAccessTokensStatement(operatorId))).rows

const selectAccessTokensStatement = (operatorId: string): Statement =>
  compile(sql`
    select id, name, purpose, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt",
      last_used_address as "lastUsedAddress"
    from clew_operators.access_tokens
    where operator_id = ${typed(operatorId, 'uuid')}
    order by created_at desc, id desc`)

/** Deletes a token of an operator; false where they have no such token. */
export const deleteAccessToken = async (on: Sql, operatorId: string, id: string): Promise<boolean> =>
  (await on.query(deleteAccessTokenStatement(operatorId, id))).rowCount === 1

const deleteAccessTokenStatement = (operatorId: string, id: string): Statement =>
  compile(sql`
    delete from clew_operators.access_tokens
    where operator_id = ${typed(operatorId, 'uuid')} and id = ${typed(id, 'uuid')}`)

interface TokenUseRow extends Operator {
  readonly tokenId: string
  /** As it is stored: under the root key that counted when it was last used. */
  readonly tokenHash: string
  readonly purpose: TokenPurpose
  readonly lastUsedAt: Date | null
}

/** The operator of a token that has not expired, with the token's last use. */
export const findTokenOperator = async (
  on: Sql,
  tokenHashes: readonly string[],
  now: Date,
): Promise<TokenUseRow | undefined> =>
  (await on.query<TokenUseRow>(selectTokenOperatorStatement(tokenHashes, now))).rows[0]

const selectTokenOperatorStatement = (tokenHashes: readonly string[], now: Date): Statement =>
  compile(sql`
    select ${operatorColumns}, t.id as "tokenId", t.token_hash as "tokenHash", t.purpose, t.last_used_at as "lastUsedAt"
    from clew_operators.access_tokens t
    join clew_operators.operators o on o.id = t.operator_id
    where t.token_hash = any (${typed(tokenHashes, 'text[]')}) and t.expires_at > ${now}`)

/** The last use of a token. */
interface TokenUse {
  /** Under the root key that counts. */
  readonly tokenHash: string
  readonly at: Date
  readonly address: string
}

/** Records that a token was used, and from which address. */
export const touchAccessToken = (on: Sql, id: string, use: TokenUse): Promise<unknown> =>
  on.query(updateTokenUseStatement(id, use))

const updateTokenUseStatement = (id: string, { tokenHash, at, address }: TokenUse): Statement =>
  compile(sql`
    update clew_operators.access_tokens
    set token_hash = ${tokenHash}, last_used_at = ${at}, last_used_address = ${address}
    where id = ${typed(id, 'uuid')}`)
