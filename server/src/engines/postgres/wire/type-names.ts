import type pg from 'pg'

/** Names of types by their OID, as `format_type` gives them to the application's owner. */
export interface TypeNames {
  /** The name, `unknown` for a type that is not read yet; it is read for the next call then. */
  name(id: number): string
  /** Names of all known types, after reading those that are missing. */
  find(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
}

/** Reads all names now, and again when an unknown OID is asked for. */
export function createTypeNames(pool: pg.Pool): TypeNames {
  const known = new Map<number, string>()
  let reading: Promise<void> | null = null

  const read = (): Promise<void> => {
    reading ??= pool
      .query<{ id: string; name: string }>(
        // Our own search path is without these schemas.
        `select oid::text as id,
           pg_catalog.regexp_replace(pg_catalog.format_type(oid, null), '^(public|auth|extensions)\\.', '') as name
         from pg_catalog.pg_type`,
      )
      .then(({ rows }) => {
        for (const { id, name } of rows) known.set(Number(id), name)
      })
      .finally(() => {
        reading = null
      })
    return reading
  }

  // Not awaited: a name that is missing at first costs a record its type, and no request its answer.
  read().catch(() => undefined)
  return {
    name(id) {
      const name = known.get(id)
      if (name !== undefined) return name
      read().catch(() => undefined)
      return 'unknown'
    },
    async find(ids) {
      const lacksOne = (): boolean => ids.some((id) => !known.has(id))
      if (lacksOne()) await read()
      // A query that had begun before does not see a type made since.
      if (lacksOne()) await read()
      return known
    },
  }
}
