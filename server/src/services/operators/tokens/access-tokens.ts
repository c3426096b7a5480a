import type { Sql } from '../../../engines/postgres/index.ts'
import { randomToken } from '../../../ground/ids/tokens.ts'
import type { Operator } from '../accounts/store.ts'
import { operatorsError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import type { OperatorsSettings } from '../settings.ts'
import {
  type AccessToken,
  deleteAccessToken,
  findAccessTokens,
  findTokenOperator,
  insertAccessToken,
  type TokenPurpose,
  touchAccessToken,
} from './store.ts'

export interface AccessTokensDeps {
  readonly sql: Sql
  readonly now: () => Date
  readonly newId: () => string
  readonly secrets: Pick<Secrets, 'hashToken' | 'tokenHashes'>
  readonly settings: Pick<OperatorsSettings, 'accessTokens'>
}

/** Tokens with which programs act for an operator, on the routes that take them. */
export interface AccessTokens {
  /** @returns the token, which is shown once. @throws CLEW_OPERATORS_TOO_MANY_TOKENS */
  create(operator: Operator, token: TokenRequest): Promise<{ readonly token: string; readonly expiresAt: Date }>
  list(operator: Operator): Promise<readonly AccessToken[]>
  /** @throws CLEW_OPERATORS_NOT_FOUND */
  revoke(operator: Operator, id: string): Promise<void>
  /**
   * The operator of a token.
   *
   * @param address of the client
   * @param purpose which tokens are taken
   * @throws CLEW_OPERATORS_BAD_TOKEN, CLEW_OPERATORS_TOKEN_REFUSED
   */
  authenticate(token: string, address: string, purpose: TokenPurpose): Promise<Operator>
}

/** A token that is to be made. */
export interface TokenRequest {
  readonly name: string
  readonly purpose: TokenPurpose
  readonly days: number
}

/** What a token begins with, so that scanners for leaked secrets know one. */
const prefix = 'clew_pat_'
const dayMs = 86_400_000
const minuteMs = 60_000

/** The access token in an `Authorization` header; null where it has none. */
export function readAccessToken(header: string | undefined): string | null {
  const [, token] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? []
  return token?.startsWith(prefix) ? token : null
}

export function createAccessTokens({ sql, now, newId, secrets, settings }: AccessTokensDeps): AccessTokens {
  return {
    async create({ id: operatorId }, { name, purpose, days }) {
      const token = `${prefix}${randomToken()}`
      const createdAt = now()
      const expiresAt = new Date(createdAt.getTime() + days * dayMs)
      const tokenHash = secrets.hashToken(token)
      const made = { id: newId(), operatorId, name, purpose, tokenHash, createdAt, expiresAt }
      if (!(await insertAccessToken(sql, made, settings.accessTokens)))
        throw operatorsError('CLEW_OPERATORS_TOO_MANY_TOKENS')
      return { token, expiresAt }
    },
    list: ({ id }) => findAccessTokens(sql, id),
    async revoke(operator, id) {
      if (!(await deleteAccessToken(sql, operator.id, id))) throw operatorsError('CLEW_OPERATORS_NOT_FOUND')
    },
    async authenticate(token, address, purpose) {
      const at = now()
      const found = await findTokenOperator(sql, secrets.tokenHashes(token), at)
      if (found === undefined) throw operatorsError('CLEW_OPERATORS_BAD_TOKEN')
      const { tokenId, tokenHash: stored, lastUsedAt, purpose: made, ...operator } = found
      if (made !== purpose) throw operatorsError('CLEW_OPERATORS_TOKEN_REFUSED')
      const tokenHash = secrets.hashToken(token)
      // The use is stored at most once a minute, or under a new root key.
      if (stored !== tokenHash || lastUsedAt === null || at.getTime() - lastUsedAt.getTime() >= minuteMs)
        await touchAccessToken(sql, tokenId, { tokenHash, at, address })
      return operator
    },
  }
}
