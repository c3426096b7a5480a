import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** What an id, or the ids of a person together, did. */
export interface Activity {
  /** Of the latest days. */
  readonly events: number
  readonly sessions: number
  /** Of all time. */
  readonly lastAt: Date
}

/** The days whose events and sessions are counted. */
const countedMs = 30 * 24 * 3_600_000

interface ActivityRow {
  readonly person: string
  readonly event_count: string
  readonly session_count: string
  readonly last_ms: string
}

/** Bound values travel in the address, which a server reads to some 16 KiB. */
const idsPerQuestion = 50

/** What persons did, by their number in the list; those who did nothing are left out. */
export async function findActivity(
  { query }: Pick<ClickHouse, 'query'>,
  idsOfPersons: readonly (readonly string[])[],
  now: Date,
): Promise<ReadonlyMap<number, Activity>> {
  const pairs = idsOfPersons.flatMap((ids, person) => ids.map((id) => ({ id, person: String(person) })))
  const since = new Date(now.getTime() - countedMs)
  const found = new Map<number, Activity>()
  for (const piece of pieces(pairs)) {
    for (const row of await query<ActivityRow>(activityStatement(piece, since)))
      found.set(Number(row.person), {
        events: Number(row.event_count),
        sessions: Number(row.session_count),
        lastAt: new Date(Number(row.last_ms)),
      })
  }
  return found
}

/** A person's ids stand in one piece: what two ids did in one session is counted once. */
function pieces(pairs: readonly Pair[]): readonly (readonly Pair[])[] {
  const all: Pair[][] = [[]]
  pairs.forEach((pair, index) => {
    const piece = all.at(-1) ?? []
    const begins = pair.person !== pairs[index - 1]?.person
    const own = begins ? pairs.filter(({ person }) => person === pair.person).length : 0
    if (begins && piece.length > 0 && piece.length + own > idsPerQuestion) all.push([pair])
    else piece.push(pair)
  })
  return all.filter((piece) => piece.length > 0)
}

interface Pair {
  readonly id: string
  readonly person: string
}

const texts = (values: readonly string[]) => typed([...values], 'Array(String)')

function activityStatement(pairs: readonly Pair[], since: Date): ClickHouseStatement {
  const ids = texts(pairs.map(({ id }) => id))
  const isCounted = sql`day > ${typed(since.toISOString().slice(0, 10), 'Date')}`
  return compileClickHouse(sql`
    select transform(distinct_id, ${ids}, ${texts(pairs.map(({ person }) => person))}) as person,
      uniqMergeIf(events, ${isCounted}) as event_count,
      uniqMergeIf(sessions, ${isCounted}) as session_count,
      toUnixTimestamp64Milli(max(last_at)) as last_ms
    from visitor_days
    where distinct_id in ${ids}
    group by person`)
}
