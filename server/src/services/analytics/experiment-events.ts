import type { ClickHouse } from '../../engines/clickhouse/index.ts'
import type { Exposure, Occurrences } from '../../ground/experiments/experiment.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { type SqlFragment, sql, typed } from '../../ground/sql/sql.ts'
import type { PropertyColumns } from './properties/columns.ts'
import { numberOfProperty } from './properties/render.ts'

/** Reads of events for experiments, by distinct id: at most `limit` ids, by name, one at a time with back-pressure. */
export interface ExperimentEvents {
  /** Which of these variants each id was shown, as clients say it (`$feature_flag_called`, analytics §3). */
  exposures(flagKey: string, variants: readonly string[], period: Period, limit: number): AsyncIterable<Exposure>
  /**
   * When each id made an event; the latest are left out beyond 1,000.
   *
   * @param property whose number is the value of an event; each counts 1 where it is null
   */
  occurrences(event: string, property: string | null, period: Period, limit: number): AsyncIterable<Occurrences>
}

/** Milliseconds since 1970; the end does not belong to it. */
interface Period {
  readonly fromMs: number
  readonly toMs: number
}

/** Occurrences of one id beyond these are left out. */
const mostOccurrences = 1_000

const within = ({ fromMs, toMs }: Period) => sql`timestamp >= fromUnixTimestamp64Milli(${typed(fromMs, 'Int64')})
      and timestamp < fromUnixTimestamp64Milli(${typed(toMs, 'Int64')})`

const selectExposuresStatement = (
  flagKey: string,
  variants: readonly string[],
  period: Period,
  limit: number,
): ClickHouseStatement =>
  compileClickHouse(sql`
    select formatRowNoNewline('JSONCompactEachRow',
      distinct_id, groupUniqArray(variant), toUnixTimestamp64Milli(min(timestamp)))
    from (
      select distinct_id, timestamp, JSONExtractString(properties, '$feature_flag_response') as variant
      from events
      where event = '$feature_flag_called' and ${within(period)}
        and JSONExtractString(properties, '$feature_flag') = ${flagKey}
    )
    where has(${typed(variants, 'Array(String)')}, variant)
    group by distinct_id
    order by distinct_id
    limit ${typed(limit, 'UInt32')}`)

const selectOccurrencesStatement = (
  event: string,
  value: SqlFragment,
  period: Period,
  limit: number,
): ClickHouseStatement =>
  compileClickHouse(sql`
    select formatRowNoNewline('JSONCompactEachRow',
      distinct_id, groupArray(${typed(mostOccurrences, 'UInt32')})(at_ms),
      groupArray(${typed(mostOccurrences, 'UInt32')})(value))
    from (
      select distinct_id, toUnixTimestamp64Milli(timestamp) as at_ms,
        ${value} as value
      from events final
      where event = ${event} and ${within(period)}
      order by timestamp
    )
    group by distinct_id
    order by distinct_id
    limit ${typed(limit, 'UInt32')}`)

type ExposureRow = readonly [id: string, shown: readonly string[], firstMs: string]
type OccurrencesRow = readonly [id: string, times: readonly string[], amounts: readonly number[]]

export const createExperimentEvents = (
  { streamTexts }: Pick<ClickHouse, 'streamTexts'>,
  properties: Pick<PropertyColumns, 'read'>,
): ExperimentEvents => ({
  async *exposures(flagKey, variants, period, limit) {
    for await (const text of streamTexts(selectExposuresStatement(flagKey, variants, period, limit))) {
      const [id, shown, firstMs]: ExposureRow = JSON.parse(text)
      yield { id, variants: shown, firstMs: Number(firstMs) }
    }
  },
  async *occurrences(event, property, period, limit) {
    const value = property === null ? sql`1` : numberOfProperty(await properties.read(property))
    for await (const text of streamTexts(selectOccurrencesStatement(event, value, period, limit))) {
      const [id, times, amounts]: OccurrencesRow = JSON.parse(text)
      yield { id, events: times.map((atMs, index) => ({ atMs: Number(atMs), value: Number(amounts[index] ?? 0) })) }
    }
  },
})
