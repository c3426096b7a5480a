import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import { elementLabel, parseElementsChain } from '../../../ground/events/elements.ts'
import type { PersonFacts } from '../../../ground/model/person.ts'
import type { PageObservation } from '../../../ground/model/recording.ts'
import type { AnalyticsSettings } from '../settings.ts'
import type { Cells, Heatmap, HeatmapArea, HeatmapElement, HeatmapPage, ScrollMap } from './schemas.ts'
import {
  type Area,
  type Device,
  devices,
  gridColumns,
  type HeatmapRange,
  type PointKind,
  rowPx,
  type Selection,
} from './selection.ts'
import {
  type BandsRow,
  type CellRow,
  type ElementRow,
  type HitSessionRow,
  type HitsRow,
  type ObservationRow,
  type PageRow,
  selectBandsStatement,
  selectCellsStatement,
  selectElementsStatement,
  selectHitSessionsStatement,
  selectHitsStatement,
  selectObservationsStatement,
  selectPagesStatement,
  selectTotalsStatement,
  type TotalsRow,
} from './store.ts'

export interface HeatmapsDeps {
  readonly clickhouse: Pick<ClickHouse, 'query'>
  readonly facts: (distinctIds: readonly string[]) => Promise<ReadonlyMap<string, PersonFacts>>
  readonly now: () => Date
  readonly settings: Pick<AnalyticsSettings, 'heatmapCells' | 'heatmapPages' | 'heatmapElements' | 'heatmapSessions'>
}

/** Views of a page in a range of time up to now. */
export interface PageViews {
  readonly page: string
  readonly device: Device
  readonly range: HeatmapRange
}

/** Where people click, move and scroll, by page. */
export interface Heatmaps {
  /** Pages that fit a pattern, those with the most clicks and views first. */
  pages(pattern: string, range: HeatmapRange): Promise<HeatmapPage[]>
  heatmap(views: PageViews, kind: PointKind): Promise<Heatmap>
  scroll(views: PageViews): Promise<ScrollMap>
  area(views: PageViews, kind: PointKind, area: Area): Promise<HeatmapArea>
  /** Moments at which a page was before a visitor, the newest first. */
  observations(views: PageViews): Promise<readonly PageObservation[]>
}

const dayMs = 86_400_000
const rangeMs: Readonly<Record<HeatmapRange, number>> = {
  '24h': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '90d': 90 * dayMs,
}
/** Clocks of clients that are ahead. */
const aheadMs = dayMs
/** posthog-js collects positions for as long before it sends them: each happened within this time. */
const collectedMs = 5000
/** Of further moments the page may have looked another way. */
const mostObservations = 200

/** Reads of what posthog-js sends as `$$heatmap`, and of how far pages were scrolled (analytics §3). */
export function createHeatmaps({ clickhouse: { query }, facts, now, settings }: HeatmapsDeps): Heatmaps {
  const span = (range: HeatmapRange) => {
    const nowMs = now().getTime()
    return { fromMs: nowMs - rangeMs[range], toMs: nowMs + aheadMs }
  }
  const selectionOf = ({ page, device, range }: PageViews): Selection => ({ page, device, ...span(range) })

  return {
    async pages(pattern, range) {
      const statement = selectPagesStatement({ page: pattern, ...span(range) }, settings.heatmapPages)
      return (await query<PageRow>(statement)).map(toPage)
    },

    async heatmap(views, kind) {
      const selection = selectionOf(views)
      const limit = settings.heatmapCells
      const [[totals], cells, elements] = await Promise.all([
        query<TotalsRow>(selectTotalsStatement(selection, kind)),
        query<CellRow>(selectCellsStatement(selection, kind, limit)),
        query<ElementRow>(selectElementsStatement(selection, kind, settings.heatmapElements)),
      ])
      const [fixed, moving] = [cells.filter((cell) => cell.fixed), cells.filter((cell) => !cell.fixed)]
      return {
        points: Number(totals?.points ?? 0),
        fixedPoints: Number(totals?.fixed_points ?? 0),
        visitors: Number(totals?.visitors ?? 0),
        sessions: Number(totals?.sessions ?? 0),
        width: totals?.width ?? 0,
        height: totals?.height ?? 0,
        ...{ gridColumns, rowPx },
        cells: toCells(moving),
        fixedCells: toCells(fixed),
        isCut: moving.length === limit || fixed.length === limit,
        elements: elements.map(toElement),
      }
    },

    async scroll(views) {
      const [row] = await query<BandsRow>(selectBandsStatement(selectionOf(views)))
      const ended = (row?.bands ?? []).map(Number)
      return {
        views: Number(row?.views ?? 0),
        // A view that ended in a band saw all bands above it as well.
        reached: ended.map((_, band) => ended.slice(band).reduce((sum, views) => sum + views, 0)),
        height: row?.height ?? 0,
        fold: row?.fold ?? 0,
      }
    },

    async area(views, kind, area) {
      const selection = selectionOf(views)
      const [[all], sessions] = await Promise.all([
        query<HitsRow>(selectHitsStatement(selection, kind, area)),
        query<HitSessionRow>(selectHitSessionsStatement(selection, kind, area, settings.heatmapSessions)),
      ])
      const people = await facts([...new Set(sessions.map((row) => row.distinct_id))])
      return {
        points: Number(all?.points ?? 0),
        visitors: Number(all?.visitors ?? 0),
        sessions: Number(all?.sessions ?? 0),
        newest: sessions.map((row) => toHitSession(row, people.get(row.distinct_id))),
      }
    },

    async observations(views) {
      const rows = await query<ObservationRow>(selectObservationsStatement(selectionOf(views), mostObservations))
      return rows.map(({ session_id, window_id, client_ms, width, height }) => ({
        ...{ sessionId: session_id, windowId: window_id, clientMs: Number(client_ms), width, height },
      }))
    },
  }
}

function toPage({ page, clicks, rage_clicks, dead_clicks, moves, views, ...byDevice }: PageRow): HeatmapPage {
  const most = devices.reduce((best, device) => (Number(byDevice[device]) > Number(byDevice[best]) ? device : best))
  return {
    page,
    clicks: Number(clicks),
    rageClicks: Number(rage_clicks),
    deadClicks: Number(dead_clicks),
    moves: Number(moves),
    views: Number(views),
    device: most,
  }
}

const toCells = (cells: readonly CellRow[]): Cells => ({
  columns: cells.map(({ column }) => column),
  rows: cells.map(({ row }) => row),
  points: cells.map(({ points }) => Number(points)),
})

function toHitSession(row: HitSessionRow, person: PersonFacts | undefined): HeatmapArea['newest'][number] {
  return {
    sessionId: row.session_id,
    distinctId: row.distinct_id,
    person: person === undefined ? null : { id: person.personId, email: person.email, name: person.name },
    points: Number(row.hits),
    at: new Date(Number(row.at_ms) - collectedMs).toISOString(),
  }
}

const shownAround = 3

function toElement({ elements_chain, clicks, visitors }: ElementRow): HeatmapElement {
  const around = parseElementsChain(elements_chain).slice(0, shownAround)
  return {
    label: elementLabel({}, elements_chain),
    path: around
      .map(({ tag, attributes }) => (attributes.attr_id === undefined ? tag : `${tag}#${attributes.attr_id}`))
      .toReversed()
      .join(' > '),
    clicks: Number(clicks),
    visitors: Number(visitors),
  }
}
