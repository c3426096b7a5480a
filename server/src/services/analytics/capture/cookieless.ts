import { createHmac, randomBytes } from 'node:crypto'
import type { Sql } from '../../../engines/postgres/index.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** What a visitor without cookies is told apart by, for a day. */
export interface Visitor {
  readonly remoteAddress: string
  readonly userAgent: string
  readonly host: string
}

/** The id of a visitor for one day: one visit gives one id, from which the visit cannot be found. */
export function cookielessId(secret: string, visitor: Visitor): string {
  const text = [visitor.remoteAddress, visitor.userAgent, visitor.host].join('\n')
  return `cookieless_${createHmac('sha256', secret).update(text).digest('base64url').slice(0, 32)}`
}

/** The secret of a day (UTC), the same on all nodes; those of earlier days are destroyed. */
export type DailySecret = (now: Date) => Promise<string>

/** Secrets in PostgreSQL, the current one kept in memory. */
export function createDailySecret(database: Sql): DailySecret {
  let current: { readonly day: string; readonly secret: Promise<string> } | null = null
  return (now) => {
    const day = now.toISOString().slice(0, 10)
    if (current?.day === day) return current.secret
    const secret = load(database, day)
    current = { day, secret }
    secret.catch(() => {
      current = null
    })
    return secret
  }
}

async function load(database: Sql, day: string): Promise<string> {
  await database.query(
    compile(sql`
      insert into clew_analytics.daily_secrets (day, secret)
      values (${typed(day, 'date')}, ${randomBytes(32).toString('base64url')})
      on conflict (day) do nothing`),
  )
  await database.query(compile(sql`delete from clew_analytics.daily_secrets where day < ${typed(day, 'date')} - 1`))
  const { rows } = await database.query<{ secret: string }>(
    compile(sql`select secret from clew_analytics.daily_secrets where day = ${typed(day, 'date')}`),
  )
  const [row] = rows
  if (row === undefined) throw new Error(`The secret of ${day} is gone.`)
  return row.secret
}
