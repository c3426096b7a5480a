import { createHash } from 'node:crypto'
import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { AuthLog } from '../model/log.ts'

/** The keys of the API, by what they are called. */
export const keyNames = ['publishable', 'secret', 'anon', 'service_role'] as const
type KeyName = (typeof keyNames)[number]

/** What the uses of keys need. */
export interface KeyUsesDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly keys: Readonly<Record<KeyName, string>>
  readonly now: () => Date
  readonly log: AuthLog
}

/** When keys of the API were last used. */
export interface KeyUses {
  /** Called with the key that a request carries, whatever it is; nothing waits for what is written of it. */
  note(key: string): void
  /** Those that were never used are not among them. */
  last(): Promise<ReadonlyMap<KeyName, Date>>
}

/** A use is written once in this time. */
const everyMs = 60_000

const fingerprintOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 16)

/** Uses of this process, and those that all have written. */
export function createKeyUses({ sql: database, keys, now, log }: KeyUsesDeps): KeyUses {
  const known = new Map(
    keyNames.map((name) => [keys[name], { name, fingerprint: fingerprintOf(keys[name]), writtenMs: 0 }]),
  )
  return {
    note(key) {
      const use = known.get(key)
      if (use === undefined) return
      const at = now()
      if (at.getTime() - use.writtenMs < everyMs) return
      use.writtenMs = at.getTime()
      setImmediate(() => {
        database
          .query(noteStatement(use, at))
          .catch((error: unknown) => log.warn({ err: error }, 'auth: the use of a key could not be kept'))
      })
    },
    async last() {
      const { rows } = await database.query<{ name: KeyName; fingerprint: string; at: Date }>(selectStatement())
      const current = rows.filter(({ name, fingerprint }) => known.get(keys[name])?.fingerprint === fingerprint)
      return new Map(current.map(({ name, at }) => [name, at]))
    },
  }
}

/** Processes write beside one another: the latest use counts. */
const noteStatement = ({ name, fingerprint }: { readonly name: string; readonly fingerprint: string }, at: Date) =>
  compile(sql`
    insert into auth.key_uses as known (name, fingerprint, last_used_at)
    values (${name}, ${fingerprint}, ${typed(at, 'timestamptz')})
    on conflict (name, fingerprint) do update
    set last_used_at = greatest(known.last_used_at, excluded.last_used_at)`)

const selectStatement = (): Statement =>
  compile(sql`
    select name, fingerprint, last_used_at as at
    from auth.key_uses`)
