import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { constant, empty, identifier, join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { bySession } from '../queries.ts'
import {
  type Percentile,
  thresholds,
  type Vital,
  type VitalBounds,
  type VitalFilter,
  type VitalSelection,
  vitals,
} from './selection.ts'

const int = (value: number): SqlFragment => sql`${typed(Math.trunc(value), 'Int64')}`
const float = (value: number): SqlFragment => sql`${typed(value, 'Float64')}`
const count = (value: number): SqlFragment => sql`${typed(value, 'UInt32')}`

const columns = { LCP: 'lcp', INP: 'inp', CLS: 'cls', FCP: 'fcp' } as const
const columnOf = (vital: Vital): SqlFragment => identifier(columns[vital])

/** Whether an event has a value of a vital that counts: anybody may send any number, what is none is -1, and -2 says that there is nothing. */
const hasValue = (vital: Vital, { vitalsMaxMs, vitalsMaxShift }: VitalBounds): SqlFragment =>
  sql`${columnOf(vital)} between 0 and ${float(vital === 'CLS' ? vitalsMaxShift : vitalsMaxMs)}`

const within = ({ fromMs, toMs }: Pick<VitalSelection, 'fromMs' | 'toMs'>): SqlFragment =>
  sql`timestamp >= fromUnixTimestamp64Milli(${int(fromMs)}) and timestamp < fromUnixTimestamp64Milli(${int(toMs)})`

/** A path, or a pattern in which `*` is any text and all else stands for itself. */
const fits = (path: string): SqlFragment =>
  path.includes('*') ? sql`path like ${path.replace(/[\\%_]/g, '\\$&').replaceAll(/\*+/g, '%')}` : sql`path = ${path}`

function conditionsOf({ path, device, browser, country }: VitalFilter): SqlFragment {
  const conditions = [
    path === null ? null : fits(path),
    device === null ? null : sql`device_type = ${device}`,
    browser === null ? null : sql`browser = ${browser}`,
    country === null ? null : sql`country_code = ${country}`,
  ].flatMap((condition) => (condition === null ? [] : [sql`and ${condition}`]))
  return conditions.length === 0 ? empty : join(conditions, ' ')
}

/** Measurements of a selection, each once. */
const measured = (selection: VitalSelection): SqlFragment => sql`
    from web_vitals final
    where ${within(selection)} ${conditionsOf(selection)}`

const levels = { p50: 0.5, p75: 0.75, p90: 0.9 } as const satisfies Record<Percentile, number>
const allLevels = constant(Object.values(levels).join(', '))

/** The numbers of one vital, under names that begin with it. */
const summaryOf = (vital: Vital, bounds: VitalBounds): SqlFragment => {
  const [value, counts] = [columnOf(vital), hasValue(vital, bounds)]
  const { good, poor } = thresholds[vital]
  const name = (end: string): SqlFragment => identifier(`${vital}_${end}`)
  return sql`
      countIf(${counts}) as ${name('views')},
      countIf(${value} != -2 and not (${counts})) as ${name('left_out')},
      countIf(${counts} and ${value} <= ${float(good)}) as ${name('good')},
      countIf(${counts} and ${value} > ${float(poor)}) as ${name('poor')},
      quantilesExactIf(${allLevels})(${value}, ${counts}) as ${name('levels')}`
}

/** The numbers of all vitals, as `LCP_views`. */
export type SummaryRow = Readonly<Record<`${Vital}_${'views' | 'left_out' | 'good' | 'poor'}`, string>> &
  Readonly<Record<`${Vital}_levels`, readonly number[]>>

export const selectSummaryStatement = (selection: VitalSelection, bounds: VitalBounds): ClickHouseStatement =>
  compileClickHouse(sql`
    select ${join(vitals.map((vital) => summaryOf(vital, bounds)))}
    ${measured(selection)}`)

/** The numbers of all vitals in a bucket of time. */
export type CourseRow = { readonly bucket: string } & Readonly<Record<`${Vital}_views`, string>> &
  Readonly<Record<`${Vital}_levels`, readonly number[]>>

/** Buckets are counted from the selection's beginning; without those that have none. */
export const selectCourseStatement = (
  selection: VitalSelection,
  bounds: VitalBounds,
  bucketMs: number,
): ClickHouseStatement =>
  compileClickHouse(sql`
    select intDiv(toUnixTimestamp64Milli(timestamp) - ${int(selection.fromMs)}, ${int(bucketMs)}) as bucket,
      ${join(
        vitals.map(
          (vital) => sql`countIf(${hasValue(vital, bounds)}) as ${identifier(`${vital}_views`)},
      quantilesExactIf(${allLevels})(${columnOf(vital)}, ${hasValue(vital, bounds)}) as ${identifier(`${vital}_levels`)}`,
        ),
      )}
    ${measured(selection)}
    group by bucket
    order by bucket`)

/** What is measured of a path: its views, and of each vital a percentile. */
export type PathRow = { readonly path: string; readonly views: string } & Readonly<Record<Vital, number | null>>

/** The paths with the most views first, or those with the worst of a vital. */
export const selectPathsStatement = (
  selection: VitalSelection,
  bounds: VitalBounds,
  {
    percentile,
    order,
    limit,
  }: { readonly percentile: Percentile; readonly order: Vital | 'views'; readonly limit: number },
): ClickHouseStatement =>
  compileClickHouse(sql`
    select path,
      greatest(${join(vitals.map((vital) => sql`countIf(${hasValue(vital, bounds)})`))}) as views,
      ${join(
        vitals.map(
          (vital) =>
            sql`quantileExactIf(${constant(String(levels[percentile]))})(${columnOf(vital)}, ${hasValue(vital, bounds)}) as ${identifier(vital)}`,
        ),
      )}
    ${measured(selection)}
    group by path
    having views > 0
    order by ${order === 'views' ? empty : sql`ifNotFinite(${identifier(order)}, -1) desc, `}views desc, path
    limit ${count(limit)}`)

/** What there is to filter by. */
export interface ChoicesRow {
  readonly devices: readonly string[]
  readonly browsers: readonly string[]
  readonly countries: readonly string[]
}

export const selectChoicesStatement = (
  selection: Pick<VitalSelection, 'fromMs' | 'toMs'>,
  limit: number,
): ClickHouseStatement =>
  compileClickHouse(sql`
    select groupUniqArrayIf(${count(limit)})(device_type, device_type != '') as devices,
      groupUniqArrayIf(${count(limit)})(browser, browser != '') as browsers,
      groupUniqArrayIf(${count(limit)})(country_code, country_code != '') as countries
    from web_vitals
    where ${within(selection)}`)

/** A measurement, and what the browser says it was of. */
export interface VisitRow {
  readonly uuid: string
  readonly at_ms: string
  readonly distinct_id: string
  readonly session_id: string
  readonly path: string
  readonly browser: string
  readonly os: string
  readonly device_type: string
  readonly country_code: string
  readonly value: number
  /** JSON of what the browser attributes the value to; empty where it does not. */
  readonly attribution: string
}

/** The worst first. What the browser attributes them to is read of their events, by the sorting key of those. */
export const selectVisitsStatement = (
  selection: VitalSelection,
  bounds: VitalBounds,
  vital: Vital,
  limit: number,
): ClickHouseStatement => {
  const worst = sql`
      select uuid, toDate(client_time) as day, cityHash64(distinct_id) as visitor, timestamp, distinct_id, session_id, path,
        browser, os, device_type, country_code, ${columnOf(vital)} as value
      ${measured(selection)} and ${hasValue(vital, bounds)}
      order by value desc, uuid
      limit ${count(limit)}`
  return compileClickHouse(sql`
    with worst as (${worst})
    select uuid, toUnixTimestamp64Milli(timestamp) as at_ms, distinct_id, session_id, path, browser, os, device_type,
      country_code, value, attribution
    from worst
    any left join (
      select uuid, toDate(client_time) as day, cityHash64(distinct_id) as visitor,
        JSONExtractRaw(properties, ${`$web_vitals_${vital}_event`}, 'attribution') as attribution
      from events final
      where (toDate(client_time), event, cityHash64(distinct_id), uuid) in (select day, '$web_vitals', visitor, uuid from worst)
    ) as told using (day, visitor, uuid)
    order by value desc, uuid`)
}

/** When the views of a page in a session began. */
export interface PageStartsRow {
  readonly session_id: string
  readonly path: string
  readonly starts_ms: readonly string[]
}

/** Views of one page in one session beyond these are not read. */
const mostViews = 1_000

export const selectPageStartsStatement = (sessionIds: readonly string[]): ClickHouseStatement =>
  compileClickHouse(sql`
    select session_id, concat(path(current_url), extract(current_url, '#[/!][^?#]*')) as path,
      groupArray(${count(mostViews)})(toUnixTimestamp64Milli(timestamp)) as starts_ms
    from events
    where event = '$pageview' and session_id in ${typed([...sessionIds], 'Array(String)')}
    group by session_id, path
    ${bySession}`)
