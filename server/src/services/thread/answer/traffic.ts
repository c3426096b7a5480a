import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import { compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** How requests were answered, of all processes. */
export interface Traffic {
  readonly requests: number
  /** Answered with 5xx. */
  readonly failed: number
  /** 95 of 100 took at most so long; connections that switched their protocol do not count. 0 without requests. */
  readonly p95Ms: number
}

/** What was stored of requests since an instant. */
export async function readTraffic(clickhouse: Pick<ClickHouse, 'query'>, since: Date): Promise<Traffic> {
  const [row] = await clickhouse.query<{ requests: string; failed: string; p95: number | null }>(
    compileClickHouse(sql`
      select
        count() as requests,
        countIf(status >= 500) as failed,
        ifNotFinite(quantileIf(0.95)(duration_ms, status != 101), 0) as p95
      from requests
      where time >= fromUnixTimestamp64Milli(${typed(since.getTime(), 'Int64')})`),
  )
  return { requests: Number(row?.requests ?? 0), failed: Number(row?.failed ?? 0), p95Ms: row?.p95 ?? 0 }
}
