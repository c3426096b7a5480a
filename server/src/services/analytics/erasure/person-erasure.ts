import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { Sql } from '../../../engines/postgres/index.ts'
import { compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { renderJsonb } from '../../../ground/sql/jsonb.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import { analyticsError } from '../errors.ts'
import type { ErasureRow, KeptCounts } from './store.ts'
import { erasureColumns } from './store.ts'

/** Counts what other services keep of ids. */
export type CountKept = (distinctIds: readonly string[]) => Promise<number>

/** What other services keep of people. */
export interface KeptPorts {
  /** Recorded sessions. */
  readonly recordings: CountKept
  readonly exceptions: CountKept
  /** Requests that are tied to sessions. */
  readonly requests: CountKept
}

export interface PersonErasureDeps {
  readonly sql: Sql
  readonly clickhouse: Pick<ClickHouse, 'query'>
  /** Begins the work. */
  readonly wake: () => void
}

/** The erasure of one person, asked for by an operator. */
export interface PersonErasure {
  /** What is kept of a person, and under how many ids. @throws CLEW_PEOPLE_NOT_FOUND */
  preview(personId: string, kept: KeptPorts): Promise<KeptCounts>
  /**
   * Asks for the removal of all that is stored of a person.
   *
   * @param refuses whether nothing more is to be stored of their ids
   * @throws CLEW_PEOPLE_NOT_FOUND
   */
  erase(personId: string, kept: KeptPorts, refuses: boolean): Promise<ErasureRow>
}

/** Bound values travel in the address, which a server reads to some 16 KiB. */
const idsPerQuestion = 50

export function createPersonErasure({ sql: database, clickhouse, wake }: PersonErasureDeps): PersonErasure {
  async function idsOf(on: Pick<Sql, 'query'>, personId: string): Promise<readonly string[]> {
    const [row] = (await on.query<{ ids: readonly string[] }>(selectIdsStatement(personId))).rows
    if (row === undefined) throw analyticsError('CLEW_PEOPLE_NOT_FOUND')
    return row.ids
  }

  async function countsOf(ids: readonly string[], kept: KeptPorts): Promise<KeptCounts> {
    const events: CountKept = async (some) => {
      const [row] = await clickhouse.query<{ count: string }>(countEventsStatement(some))
      return Number(row?.count ?? 0)
    }
    const count = async (counts: CountKept): Promise<number> => {
      let all = 0
      for (let from = 0; from < ids.length; from += idsPerQuestion)
        all += await counts(ids.slice(from, from + idsPerQuestion))
      return all
    }
    return {
      ids: ids.length,
      events: await count(events),
      recordings: await count(kept.recordings),
      exceptions: await count(kept.exceptions),
      requests: await count(kept.requests),
    }
  }

  return {
    preview: async (personId, kept) => countsOf(await idsOf(database, personId), kept),
    async erase(personId, kept, refuses) {
      const counts = await countsOf(await idsOf(database, personId), kept)
      const erasure = await database.transaction(async (tx) => {
        // Ids that were joined meanwhile go as well.
        const ids = await idsOf(tx, personId)
        if (refuses) await tx.query(refuseStatement(ids))
        return (await tx.query<ErasureRow>(insertErasureStatement(personId, ids, counts))).rows[0]
      })
      if (erasure === undefined) throw analyticsError('CLEW_PEOPLE_NOT_FOUND')
      wake()
      return erasure
    },
  }
}

/** All ids of a person, with that of their user. */
const selectIdsStatement = (personId: string): Statement =>
  compile(sql`
    select array(
      select d.distinct_id
      from clew_analytics.distinct_ids d
      where d.person_id = p.id
      union
      select p.auth_user_id::text
      where p.auth_user_id is not null
    ) as ids
    from clew_analytics.persons p
    where p.id = ${typed(personId, 'uuid')}`)

const countEventsStatement = (ids: readonly string[]) =>
  compileClickHouse(sql`
    select uniqMerge(events) as count
    from visitor_days
    where distinct_id in ${typed([...ids], 'Array(String)')}`)

const refuseStatement = (ids: readonly string[]): Statement =>
  compile(sql`
    insert into clew_analytics.consents (distinct_id, granted, decided_at)
    select id, false, now()
    from unnest(${typed(ids, 'text[]')}) as id
    on conflict (distinct_id) do update set granted = false, decided_at = excluded.decided_at`)

const insertErasureStatement = (personId: string, ids: readonly string[], counts: KeptCounts): Statement =>
  compile(sql`
    insert into clew_analytics.erasures (distinct_ids, person_id, counts)
    values (${typed(ids, 'text[]')}, ${typed(personId, 'uuid')}, ${typed(renderJsonb(counts), 'jsonb')})
    returning ${erasureColumns}`)
