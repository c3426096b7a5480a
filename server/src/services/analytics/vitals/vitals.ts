import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { PersonFacts } from '../../../ground/model/person.ts'
import type { AnalyticsSettings } from '../settings.ts'
import { readAttribution } from './attribution.ts'
import type { Measure, VitalPath, VitalSummary, VitalVisit, WebVitals } from './schemas.ts'
import {
  type Percentile,
  rate,
  type Vital,
  type VitalFilter,
  type VitalRange,
  type VitalSelection,
  vitals,
} from './selection.ts'
import {
  type ChoicesRow,
  type CourseRow,
  type PageStartsRow,
  type PathRow,
  type SummaryRow,
  selectChoicesStatement,
  selectCourseStatement,
  selectPageStartsStatement,
  selectPathsStatement,
  selectSummaryStatement,
  selectVisitsStatement,
  type VisitRow,
} from './store.ts'

export interface VitalsDeps {
  readonly clickhouse: Pick<ClickHouse, 'query'>
  readonly facts: (distinctIds: readonly string[]) => Promise<ReadonlyMap<string, PersonFacts>>
  readonly now: () => Date
  readonly settings: Pick<AnalyticsSettings, 'vitalsMaxMs' | 'vitalsMaxShift' | 'vitalsPaths' | 'vitalsVisits'>
}

/** Measurements of a range of time up to now. */
export interface VitalsAsked extends VitalFilter {
  readonly range: VitalRange
}

/** What browsers measured of pages (`$web_vitals`, analytics §3). */
export interface Vitals {
  overview(asked: VitalsAsked): Promise<WebVitals>
  /** With the most views first, or with the worst of a vital. */
  paths(
    asked: VitalsAsked,
    percentile: Percentile,
    order: Vital | 'views',
  ): Promise<{ readonly paths: VitalPath[]; readonly hasMore: boolean }>
  /** The worst visits of a vital. */
  visits(asked: VitalsAsked, vital: Vital): Promise<VitalVisit[]>
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** How many stretches of a course there are, and how long each is. */
const courses: Readonly<Record<VitalRange, { readonly buckets: number; readonly bucketMs: number }>> = {
  '24h': { buckets: 24, bucketMs: hourMs },
  '7d': { buckets: 28, bucketMs: 6 * hourMs },
  '30d': { buckets: 30, bucketMs: dayMs },
  '90d': { buckets: 90, bucketMs: dayMs },
}
/** Of devices, browsers and countries. */
const mostChoices = 300

/** Reads of web vitals; their statements are in `store.ts`. */
export function createVitals({ clickhouse: { query }, facts, now, settings }: VitalsDeps): Vitals {
  const selectionOf = ({ range, ...filter }: VitalsAsked): VitalSelection => {
    const { buckets, bucketMs } = courses[range]
    const toMs = now().getTime()
    return { ...filter, fromMs: toMs - buckets * bucketMs, toMs }
  }
  const findPageStarts = async (rows: readonly VisitRow[]): Promise<readonly PageStartsRow[]> => {
    const sessions = [...new Set(rows.map((row) => row.session_id))].filter((id) => id !== '')
    return sessions.length === 0 ? [] : query<PageStartsRow>(selectPageStartsStatement(sessions))
  }
  return {
    async overview(asked) {
      const selection = selectionOf(asked)
      const { buckets, bucketMs } = courses[asked.range]
      const [[summary], course, [choices]] = await Promise.all([
        query<SummaryRow>(selectSummaryStatement(selection, settings)),
        query<CourseRow>(selectCourseStatement(selection, settings, bucketMs)),
        query<ChoicesRow>(selectChoicesStatement(selection, mostChoices)),
      ])
      const byBucket = new Map(course.map((row) => [Number(row.bucket), row]))
      return {
        vitals: vitals.map((vital) => toSummary(vital, summary)),
        course: Array.from({ length: buckets }, (_, index) => ({
          at: new Date(selection.fromMs + index * bucketMs).toISOString(),
          vitals: vitals.map((vital) => toPoint(vital, byBucket.get(index))),
        })),
        choices: {
          devices: (choices?.devices ?? []).toSorted(),
          browsers: (choices?.browsers ?? []).toSorted(),
          countries: (choices?.countries ?? []).toSorted(),
        },
      }
    },

    async paths(asked, percentile, order) {
      const limit = settings.vitalsPaths
      const statement = selectPathsStatement(selectionOf(asked), settings, { percentile, order, limit: limit + 1 })
      const rows = await query<PathRow>(statement)
      return { paths: rows.slice(0, limit).map(toPath), hasMore: rows.length > limit }
    },

    async visits(asked, vital) {
      const rows = await query<VisitRow>(
        selectVisitsStatement(selectionOf(asked), settings, vital, settings.vitalsVisits),
      )
      const [people, starts] = await Promise.all([
        facts([...new Set(rows.map((row) => row.distinct_id))]),
        isOfLoading(vital) ? findPageStarts(rows) : [],
      ])
      return rows.map((row) => toVisit(vital, row, people.get(row.distinct_id), startOf(row, starts)))
    },
  }
}

/** Of a time in milliseconds no more than a tenth is shown, of a shift four digits. */
const toMeasure = (vital: Vital, value: number | null | undefined): Measure =>
  value == null
    ? null
    : {
        value: vital === 'CLS' ? Math.round(value * 1e4) / 1e4 : Math.round(value * 10) / 10,
        rating: rate(vital, value),
      }

type Levels = Readonly<Record<`${Vital}_views`, string>> & Readonly<Record<`${Vital}_levels`, readonly number[]>>

/** The percentiles of a vital; where nothing was measured the engine says 0. */
function toPoint(vital: Vital, row: Levels | undefined) {
  const views = Number(row?.[`${vital}_views`] ?? 0)
  const [p50, p75, p90] = row === undefined || views === 0 ? [] : row[`${vital}_levels`]
  const percentiles = { p50: toMeasure(vital, p50), p75: toMeasure(vital, p75), p90: toMeasure(vital, p90) }
  return { vital, views, percentiles }
}

function toSummary(vital: Vital, row: SummaryRow | undefined): VitalSummary {
  const of = (name: 'left_out' | 'good' | 'poor'): number => Number(row?.[`${vital}_${name}`] ?? 0)
  const point = toPoint(vital, row)
  const [good, poor] = [of('good'), of('poor')]
  return { ...point, good, poor, needsImprovement: point.views - good - poor, leftOut: of('left_out') }
}

const toPath = (row: PathRow): VitalPath => ({
  path: row.path,
  views: Number(row.views),
  LCP: toMeasure('LCP', row.LCP),
  INP: toMeasure('INP', row.INP),
  CLS: toMeasure('CLS', row.CLS),
  FCP: toMeasure('FCP', row.FCP),
})

const orNull = (text: string): string | null => (text === '' ? null : text)

/** Whether a vital is of how a page loads; browsers send it when the page is clicked or left. */
const isOfLoading = (vital: Vital): boolean => vital === 'LCP' || vital === 'FCP'

/** When the view began that was measured; null where its session does not say. */
function startOf(row: VisitRow, starts: readonly PageStartsRow[]): number | null {
  const views = starts.find(({ session_id, path }) => session_id === row.session_id && path === row.path)
  const before = (views?.starts_ms ?? []).map(Number).filter((atMs) => atMs <= Number(row.at_ms))
  return before.length === 0 ? null : Math.max(...before)
}

const toVisit = (vital: Vital, row: VisitRow, person: PersonFacts | undefined, startMs: number | null): VitalVisit => ({
  id: `${row.at_ms}.${row.uuid}`,
  at: new Date(Number(row.at_ms)).toISOString(),
  momentAt: new Date(startMs ?? Number(row.at_ms)).toISOString(),
  sessionId: orNull(row.session_id),
  distinctId: row.distinct_id,
  person: person === undefined ? null : { id: person.personId, email: person.email, name: person.name },
  path: row.path,
  browser: orNull(row.browser),
  os: orNull(row.os),
  device: orNull(row.device_type),
  country: orNull(row.country_code),
  measure: toMeasure(vital, row.value),
  ...readAttribution(vital, row.attribution),
})
