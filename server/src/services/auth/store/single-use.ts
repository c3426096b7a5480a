import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { RequestSql } from './database.ts'

/** The kinds of what is accepted once only. */
export type SingleUse = 'web3' | 'saml'

const useOnceStatement = (purpose: SingleUse, id: string, expiresAt: Date, now: Date): Statement =>
  compile(sql`
    with swept as (
      delete from auth.single_use where expires_at < ${typed(now, 'timestamptz')} and id <> ${typed(id, 'text')}
    )
    insert into auth.single_use (purpose, id, expires_at)
    values (${purpose}, ${typed(id, 'text')}, ${typed(expiresAt, 'timestamptz')})
    on conflict do nothing
    returning id`)

/**
 * Uses up something that may be accepted once. Of two simultaneous callers one waits for the other to commit.
 *
 * @param id        names it among its kind
 * @param expiresAt when it is too old
 * @returns         false when it was used before
 */
export async function useOnce(
  on: RequestSql,
  purpose: SingleUse,
  id: string,
  expiresAt: Date,
  now: Date,
): Promise<boolean> {
  return (await on.query(useOnceStatement(purpose, id, expiresAt, now))).rows.length > 0
}
