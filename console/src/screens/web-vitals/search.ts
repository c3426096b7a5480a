import type { VitalSummary } from '../../lib/api/schemas.ts'
import { readText } from '../../lib/read-search.ts'

export type Vital = VitalSummary['vital']
export const vitals = ['LCP', 'INP', 'CLS', 'FCP'] as const satisfies readonly Vital[]
export const ranges = ['24h', '7d', '30d', '90d'] as const
export const percentiles = ['p50', 'p75', 'p90'] as const
export type Percentile = (typeof percentiles)[number]

/** What is looked at where the link says nothing. */
export const usual = { range: '7d', percentile: 'p75', vital: 'LCP', order: 'views' } as const

/** Which measurements are meant; every part stands in the URL. */
export interface VitalsFilter {
  readonly range?: (typeof ranges)[number]
  readonly device?: string
  readonly browser?: string
  readonly country?: string
  /** `*` stands for any part of it. */
  readonly path?: string
}

/** All that a link to web vitals says. */
export interface VitalsSearch extends VitalsFilter {
  readonly percentile?: Percentile
  /** The one whose course and worst visits are shown. */
  readonly vital?: Vital
  readonly order?: 'worst'
  /** How the course is shown, unless it is drawn. */
  readonly look?: 'table'
  /** The path whose worst visits are shown. */
  readonly open?: string
}

/** The part of a search that chooses measurements. */
export function filterOf(search: VitalsSearch): VitalsFilter {
  const { percentile: _percentile, vital: _vital, order: _order, look: _look, open: _open, ...filter } = search
  return filter
}

/** Reads a link; what it does not understand it leaves out, and what is usual needs no place in it. */
export function readVitalsSearch(search: Readonly<Record<string, unknown>>): VitalsSearch {
  const range = ranges.find((name) => name === search.range && name !== usual.range)
  const percentile = percentiles.find((name) => name === search.percentile && name !== usual.percentile)
  const vital = vitals.find((name) => name === search.vital && name !== usual.vital)
  return {
    ...readText(search, 'device', 'browser', 'country', 'path', 'open'),
    ...(range && { range }),
    ...(percentile && { percentile }),
    ...(vital && { vital }),
    ...(search.order === 'worst' && { order: 'worst' }),
    ...(search.look === 'table' && { look: 'table' }),
  }
}
