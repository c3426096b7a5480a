import { setTimeout as delay } from 'node:timers/promises'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { Sql } from '../postgres.ts'

const pollMs = 200

/**
 * Resolves when the row changes that were committed before are read and stored: true, or false where they are not within
 * `limitMs`. A database whose changes are not read has none to wait for.
 */
export async function changesCaughtUp(
  database: Pick<Sql, 'query'>,
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const end = performance.now() + limitMs
  const [written] = (
    await database.query<{ lsn: string }>(compile(sql`select pg_current_wal_insert_lsn()::text as lsn`))
  ).rows
  for (;;) {
    const { rows } = await database.query<{ isRead: boolean }>(
      compile(sql`
        select s.confirmed_flush_lsn >= ${typed(written?.lsn ?? '0/0', 'pg_lsn')} as "isRead"
        from pg_catalog.pg_replication_slots s
        join pg_catalog.pg_database d on s.slot_name = 'clew_' || d.oid
        where d.datname = current_database() and s.active`),
    )
    if (rows.every(({ isRead }) => isRead)) return true
    if (performance.now() > end) return false
    await delay(pollMs, undefined, { signal, ref: false })
  }
}
