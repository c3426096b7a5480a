import type { RequestSeries } from '../../schemas/request-series.ts'
import type { RequestFilter } from '../queries/request-filter.ts'
import type { SeriesRow, SeriesTotalRow } from '../queries/request-series.ts'
import type { ThreadStore } from '../store.ts'
import { planParts, type SeriesParts } from './series-parts.ts'

/** What the series is read by. */
export interface RequestSeriesDeps {
  readonly store: Pick<ThreadStore, 'series' | 'seriesTotal' | 'oldestRequest' | 'timeBehind'>
  readonly now: () => Date
  /** The newest requests of a time that are counted; those before them are left out. */
  readonly chartedRequests: number
}

/** How many requests there were over a time, and how long they took. */
export function createRequestSeries({ store, now, chartedRequests }: RequestSeriesDeps) {
  return async (filter: RequestFilter): Promise<RequestSeries> => {
    const to = filter.to === undefined ? now() : new Date(filter.to)
    const asked = filter.from === undefined ? await store.oldestRequest(filter) : new Date(filter.from)
    const from = asked ?? to
    // A session has few requests, which are found by its id.
    const behind = filter.session === undefined ? await store.timeBehind(from, to, chartedRequests) : null
    const since = behind ?? from
    const counted = { ...filter, from: since.toISOString(), to: to.toISOString() }
    const parts = planParts(since, to)
    const [rows, total] = await Promise.all([store.series(counted, parts.partMs), store.seriesTotal(counted)])
    return { from: since.toISOString(), to: to.toISOString(), isCut: behind !== null, ...render(parts, rows, total) }
  }
}

function render(
  { partMs, startMs, endMs }: SeriesParts,
  rows: readonly SeriesRow[],
  total: SeriesTotalRow | undefined,
): Pick<RequestSeries, 'partMs' | 'parts' | 'requests' | 'errors' | 'p50Ms' | 'p95Ms'> {
  const byPart = new Map(rows.map((row) => [Number(row.part), row]))
  const requests = Number(total?.requests ?? 0)
  const [p50, p95] = total?.durations ?? []
  return {
    partMs,
    parts: Array.from({ length: (endMs - startMs) / partMs }, (_, index) => {
      const row = byPart.get(startMs / partMs + index)
      return {
        at: new Date(startMs + index * partMs).toISOString(),
        answered: Number(row?.answered ?? 0),
        redirected: Number(row?.redirected ?? 0),
        refused: Number(row?.refused ?? 0),
        failed: Number(row?.failed ?? 0),
        p95Ms: row?.p95 ?? 0,
      }
    }),
    requests,
    errors: Number(total?.errors ?? 0),
    p50Ms: requests === 0 ? null : (p50 ?? null),
    p95Ms: requests === 0 ? null : (p95 ?? null),
  }
}
