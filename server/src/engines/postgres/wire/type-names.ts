import type pg from 'pg'

/** PostgreSQL's names for its type numbers, as the application's owner would say them. */
export interface TypeNames {
  /** At once; a type that is not known yet is looked up for the next time. */
  name(id: number): string
  /** Waits for the look-up. */
  find(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
}

/** Reads all names at the first need of an unknown one; types made later are read then. */
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

  // Not waited for: a name that is missing at first is a record's loss, not a request's.
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
      // A reading that had begun before does not know a type made since.
      if (lacksOne()) await read()
      return known
    },
  }
}
