import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { constant, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import {
  type Area,
  deviceWidths,
  gridColumns,
  highestPx,
  type PointKind,
  rowPx,
  type Selection,
  scrollBands,
} from './selection.ts'

const int = (value: number): SqlFragment => sql`${typed(Math.trunc(value), 'Int64')}`
const float = (value: number): SqlFragment => sql`${typed(value, 'Float64')}`
const count = (value: number): SqlFragment => sql`${typed(value, 'UInt32')}`

const within = ({ fromMs, toMs }: Pick<Selection, 'fromMs' | 'toMs'>): SqlFragment =>
  sql`timestamp >= fromUnixTimestamp64Milli(${int(fromMs)}) and timestamp < fromUnixTimestamp64Milli(${int(toMs)})`

/** Whether an address fits the pattern of a page: `*` is any text, all else stands for itself. */
function fits(address: SqlFragment, { page }: Pick<Selection, 'page'>): SqlFragment {
  if (!page.includes('*')) return sql`${address} = ${page}`
  return sql`${address} like ${page.replace(/[\\%_]/g, '\\$&').replaceAll(/\*+/g, '%')}`
}

function ofDevice({ device }: Pick<Selection, 'device'>): SqlFragment {
  const { from, to } = deviceWidths[device]
  return sql`viewport_width between ${typed(from, 'UInt16')} and ${typed(to, 'UInt16')}`
}

/**
 * What events tell of the page, each once. Copies of a row share its sorting key: what that rules out is not read for the search
 * for copies.
 */
const usesOf = (what: SqlFragment, selection: Pick<Selection, 'page' | 'fromMs' | 'toMs'>): SqlFragment => sql`
  page_uses final
  prewhere ${what} and ${fits(sql`page`, selection)}
  where ${within(selection)}`

/** Positions of a kind on the page: a row has those of an event. */
const positions = (selection: Selection, kind: PointKind): SqlFragment =>
  sql`${usesOf(sql`what = 'position' and kind = ${kind}`, selection)} and ${ofDevice(selection)}`

/** Anybody may send any numbers; no page is as high as `highestPx`. */
const isOnGrid = constant(`point.x >= 0 and point.x <= viewport_width and point.y >= 0 and point.y <= ${highestPx}`)

/** How much there is of a page. */
export interface PageRow {
  readonly page: string
  readonly clicks: string
  readonly rage_clicks: string
  readonly dead_clicks: string
  readonly moves: string
  /** Views of which it is known how far they were scrolled. */
  readonly views: string
  /** Positions and views from a desktop, a tablet and a phone. */
  readonly desktop: string
  readonly tablet: string
  readonly phone: string
}

const amountByDevice = constant(
  Object.entries(deviceWidths)
    .map(([device, { from, to }]) => `sumIf(amount, viewport_width between ${from} and ${to}) as ${device}`)
    .join(', '),
)

/** The pages of a time that fit the pattern, those with the most clicks and views first. */
export const selectPagesStatement = (
  selection: Pick<Selection, 'page' | 'fromMs' | 'toMs'>,
  limit: number,
): ClickHouseStatement =>
  compileClickHouse(sql`
    select page, sumIf(amount, kind = 'click') as clicks, sumIf(amount, kind = 'rageclick') as rage_clicks,
      sumIf(amount, kind = 'deadclick') as dead_clicks, sumIf(amount, kind = 'mousemove') as moves,
      sumIf(amount, what = 'scroll') as views, ${amountByDevice}
    from (
      select page, what, kind, viewport_width, if(what = 'scroll', 1, length(points)) as amount
      from ${usesOf(constant(`what in ('position', 'scroll')`), selection)}
    )
    group by page
    order by clicks + rage_clicks + dead_clicks + views desc, page
    limit ${count(limit)}`)

/** A cell of the grid with its positions. */
export interface CellRow {
  readonly fixed: boolean
  readonly column: number
  readonly row: number
  readonly points: string
}

/** The cells of a kind of positions, those with the most first; of fixed elements as many besides. */
export const selectCellsStatement = (selection: Selection, kind: PointKind, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select point.is_fixed as fixed,
      least(toUInt32(point.x / viewport_width * ${count(gridColumns)}), ${count(gridColumns - 1)}) as column,
      toUInt32(point.y / ${count(rowPx)}) as row, count() as points
    from (
      select viewport_width, arrayJoin(points) as point
      from ${positions(selection, kind)}
    )
    where ${isOnGrid}
    group by fixed, column, row
    order by points desc, row, column
    limit ${count(limit)} by fixed`)

/** What a selection comes to. */
export interface TotalsRow {
  readonly points: string
  readonly fixed_points: string
  readonly visitors: string
  readonly sessions: string
  /** Of the viewports, the middle ones. */
  readonly width: number
  readonly height: number
}

/** How many positions of a kind there are, of how many ids of browsers, in how many sessions. */
export const selectTotalsStatement = (selection: Selection, kind: PointKind): ClickHouseStatement =>
  compileClickHouse(sql`
    select sum(hits) as points, sum(fixed_hits) as fixed_points, uniqExactIf(distinct_id, hits > 0) as visitors,
      uniqExactIf(session_id, hits > 0 and session_id != '') as sessions,
      toUInt32(ifNotFinite(quantileExact(viewport_width), 0)) as width,
      toUInt32(ifNotFinite(quantileExact(viewport_height), 0)) as height
    from (
      select distinct_id, session_id, viewport_width, viewport_height, arrayCount(point -> ${isOnGrid}, points) as hits,
        arrayCount(point -> point.is_fixed and ${isOnGrid}, points) as fixed_hits
      from ${positions(selection, kind)}
    )`)

/** A session in which an area was hit. */
export interface HitSessionRow {
  readonly session_id: string
  readonly distinct_id: string
  readonly hits: string
  /** When the last of them was told. */
  readonly at_ms: string
}

/** How often an area was hit, by how many ids of browsers, in how many sessions. */
export interface HitsRow {
  readonly points: string
  readonly visitors: string
  readonly sessions: string
}

const hits = (selection: Selection, kind: PointKind, { fromX, toX, fromY, toY, isFixed }: Area): SqlFragment => sql`(
      select distinct_id, session_id, timestamp,
        arrayCount(
          point -> point.is_fixed = ${typed(isFixed, 'Bool')} and ${isOnGrid}
            and point.x >= ${float(fromX)} * viewport_width and point.x <= ${float(toX)} * viewport_width
            and point.y >= ${float(fromY)} and point.y <= ${float(toY)},
          points
        ) as hits
      from ${positions(selection, kind)} and hits > 0
    )`

export const selectHitsStatement = (selection: Selection, kind: PointKind, area: Area): ClickHouseStatement =>
  compileClickHouse(sql`
    select sum(hits) as points, uniqExact(distinct_id) as visitors, uniqExactIf(session_id, session_id != '') as sessions
    from ${hits(selection, kind, area)}`)

/** The sessions in which an area was hit, newest first. */
export const selectHitSessionsStatement = (
  selection: Selection,
  kind: PointKind,
  area: Area,
  limit: number,
): ClickHouseStatement =>
  compileClickHouse(sql`
    select session_id, argMax(distinct_id, timestamp) as distinct_id, sum(hits) as hits,
      toUnixTimestamp64Milli(max(timestamp)) as at_ms
    from ${hits(selection, kind, area)}
    where session_id != ''
    group by session_id
    order by at_ms desc, session_id
    limit ${count(limit)}`)

/** How many views saw a band of the page. */
export interface BandsRow {
  readonly views: string
  /** By band, from the top: views that ended in it, having seen no further one. */
  readonly bands: readonly string[]
  /** The middle height of the page and of the viewport, in pixels. */
  readonly height: number
  readonly fold: number
}

/** How far down the page views were scrolled. */
export const selectBandsStatement = (selection: Selection): ClickHouseStatement =>
  compileClickHouse(sql`
    select count() as views,
      arrayMap(band -> countEqual(groupArray(last) as lasts, band), range(${count(scrollBands)})) as bands,
      toUInt32(ifNotFinite(quantileExactIf(bottom / depth, depth > 0), 0)) as height,
      toUInt32(ifNotFinite(quantileExactIf(viewport_height, viewport_height > 0), 0)) as fold
    from (
      select bottom, depth, viewport_height,
        toUInt8(least(greatest(ceil(depth * ${count(scrollBands)}) - 1, 0), ${count(scrollBands - 1)})) as last
      from ${usesOf(constant(`what = 'scroll'`), selection)} and ${ofDevice(selection)}
    )`)

/** An element with its clicks. */
export interface ElementRow {
  readonly elements_chain: string
  readonly clicks: string
  readonly visitors: string
}

/** The elements of the page that were clicked, the most clicked first; of a kind that no element has there are none. */
export const selectElementsStatement = (selection: Selection, kind: PointKind, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select elements_chain, count() as clicks, uniqExact(distinct_id) as visitors
    from ${usesOf(sql`what = 'element' and kind = ${kind}`, selection)} and ${ofDevice(selection)}
    group by elements_chain
    order by clicks desc, elements_chain
    limit ${count(limit)}`)

/** A moment at which a browser had the page before it. */
export interface ObservationRow {
  readonly session_id: string
  readonly window_id: string
  /** By the browser's clock. */
  readonly client_ms: string
  readonly width: number
  readonly height: number
}

/** The newest moments at which a visitor was on the page and had used it. */
export const selectObservationsStatement = (selection: Selection, limit: number): ClickHouseStatement =>
  compileClickHouse(sql`
    select session_id, window_id, toUnixTimestamp64Milli(max(client_time)) as client_ms,
      argMax(viewport_width, client_time) as width, argMax(viewport_height, client_time) as height
    from ${usesOf(constant(`what = 'position'`), selection)} and ${ofDevice(selection)} and is_current and session_id != ''
    group by session_id, window_id
    order by client_ms desc
    limit ${count(limit)}`)
