import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { constant, sql, typed } from '../../ground/sql/sql.ts'
import type { ShareBody } from './schemas.ts'

/** A link as it is stored. */
export interface ShareRow extends Omit<ShareBody, 'hours'> {
  readonly id: string
  readonly createdBy: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly revokedAt: Date | null
  readonly opened: number
  readonly lastOpenedAt: Date | null
}

const columns = constant(`
  id, session_id as "sessionId", lanes, shows_values as "showsValues", shows_person as "showsPerson",
  created_by as "createdBy", created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt",
  opened, last_opened_at as "lastOpenedAt"`)

/** What is stored of a new link. */
export interface NewShareRow extends Omit<ShareBody, 'hours'> {
  readonly id: string
  readonly tokenHash: Buffer
  readonly createdBy: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Stores a link unless the session has `limit` valid ones; one row with it, or none. */
export const insertShareStatement = (share: NewShareRow, limit: number): Statement =>
  compile(sql`
    insert into clew_shares.shares
      (id, token_hash, session_id, lanes, shows_values, shows_person, created_by, created_at, expires_at)
    select ${typed(share.id, 'uuid')}, ${typed(share.tokenHash, 'bytea')}, ${share.sessionId},
      ${typed([...share.lanes], 'text[]')}, ${typed(share.showsValues, 'boolean')}, ${typed(share.showsPerson, 'boolean')},
      ${share.createdBy}, ${typed(share.createdAt, 'timestamptz')}, ${typed(share.expiresAt, 'timestamptz')}
    where (
      select count(*) from clew_shares.shares
      where session_id = ${share.sessionId} and revoked_at is null and expires_at > ${typed(share.createdAt, 'timestamptz')}
    ) < ${limit}
    returning ${columns}`)

/** The links to a session, the latest first. */
export const selectSharesStatement = (sessionId: string): Statement =>
  compile(sql`
    select ${columns}
    from clew_shares.shares
    where session_id = ${sessionId}
    order by created_at desc, id
    limit 200`)

export const selectShareStatement = (id: string): Statement =>
  compile(sql`select ${columns} from clew_shares.shares where id = ${typed(id, 'uuid')}`)

/** Counts that a valid link is opened; one row with it, or none where there is no such link or it is over. */
export const openShareStatement = (tokenHash: Buffer, at: Date): Statement =>
  compile(sql`
    update clew_shares.shares
    set opened = opened + 1, last_opened_at = ${typed(at, 'timestamptz')}
    where token_hash = ${typed(tokenHash, 'bytea')} and revoked_at is null and expires_at > ${typed(at, 'timestamptz')}
    returning ${columns}`)

export const revokeShareStatement = (id: string, at: Date): Statement =>
  compile(sql`
    update clew_shares.shares
    set revoked_at = coalesce(revoked_at, ${typed(at, 'timestamptz')})
    where id = ${typed(id, 'uuid')}`)
