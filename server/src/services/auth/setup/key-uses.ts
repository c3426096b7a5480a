import type { Sql } from '../../../engines/postgres/index.ts'
import { type ApiKeys, apiKeyId } from '../../../ground/jwt/api-keys.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { AuthLog } from '../model/log.ts'

/** The keys of the API, by what they are called. */
export const keyNames = ['publishable', 'secret', 'anon', 'service_role'] as const
type KeyName = (typeof keyNames)[number]

/** What the uses of keys need. */
export interface KeyUsesDeps {
  readonly sql: Pick<Sql, 'query'>
  /** The keys of the moment. */
  readonly keys: ApiKeys
  readonly now: () => Date
  readonly log: AuthLog
}

/** When keys of the API were last used. */
export interface KeyUses {
  /** Called with the key that a request carries, whatever it is; nothing waits for what is written of it. */
  note(key: string): void
  /** By `apiKeyId` of the key; those that were never used are not among them. */
  last(): Promise<ReadonlyMap<string, Date>>
}

/** A use is written once in this time. */
const everyMs = 60_000

interface Use {
  readonly name: KeyName
  readonly fingerprint: string
  writtenMs: number
}

/** Uses of this process, and those that all have written. */
export function createKeyUses({ sql: database, keys, now, log }: KeyUsesDeps): KeyUses {
  const uses = new Map<string, Use>()
  const useOf = (key: string): Use | undefined => {
    const known = uses.get(key)
    if (known !== undefined) return known
    const name = nameOf(keys, key)
    if (name === undefined) return undefined
    const use = { name, fingerprint: apiKeyId(key), writtenMs: 0 }
    uses.set(key, use)
    return use
  }
  return {
    note(key) {
      const use = useOf(key)
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
      const { rows } = await database.query<{ fingerprint: string; at: Date }>(selectStatement())
      return new Map(rows.map(({ fingerprint, at }) => [fingerprint, at]))
    },
  }
}

/** What a key is called; undefined for one that is not, or no more, of the project. */
function nameOf(
  { publishableKey, secretKey, anonKey, serviceRoleKey, earlierKeys }: ApiKeys,
  key: string,
): KeyName | undefined {
  if (key === publishableKey) return 'publishable'
  if (key === secretKey) return 'secret'
  if (key === anonKey) return 'anon'
  if (key === serviceRoleKey) return 'service_role'
  return earlierKeys.find((earlier) => earlier.key === key)?.name
}

/** Processes write beside one another: the latest use counts. */
const noteStatement = ({ name, fingerprint }: Use, at: Date) =>
  compile(sql`
    insert into auth.key_uses as known (name, fingerprint, last_used_at)
    values (${name}, ${fingerprint}, ${typed(at, 'timestamptz')})
    on conflict (name, fingerprint) do update
    set last_used_at = greatest(known.last_used_at, excluded.last_used_at)`)

const selectStatement = (): Statement =>
  compile(sql`
    select fingerprint, max(last_used_at) as at
    from auth.key_uses
    group by fingerprint`)
