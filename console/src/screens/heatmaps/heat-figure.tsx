import { useMemo } from 'react'
import type { ChartLook } from '../../charts/chart-data.ts'
import { ChartFrame } from '../../charts/chart-frame.tsx'
import type { Heatmap, HeatmapPicture } from '../../lib/api/schemas.ts'
import { Chip } from '../../ui/badge.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Count } from '../../ui/time.tsx'
import { areaText, type Cell, cellsOf, countText, heatChart, kindNames } from './heat-data.ts'
import { drawHeatPicture } from './map/draw-heat.ts'
import { HeatLayer } from './map/heat-layer.tsx'
import { PageBox } from './map/page-box.tsx'
import { NoPicture } from './no-picture.tsx'
import type { PageViews } from './queries.ts'
import { type Area, type PointKind, shownPage } from './search.ts'
import { sessionsText, visitorsText } from './side/area-panel.tsx'

interface HeatFigureProps {
  readonly views: PageViews
  readonly kind: PointKind
  readonly map: Heatmap
  readonly isFixed: boolean
  readonly area: Area | null
  /** Undefined while it is looked for; null: there is none. */
  readonly picture: HeatmapPicture | null | undefined
  readonly look: ChartLook
  readonly onLook: (look: ChartLook) => void
  readonly onArea: (area: Area) => void
  readonly onFixed: (isFixed: boolean) => void
}

const columns: readonly TableColumn<Cell>[] = [
  { id: 'place', title: 'Place', cell: areaText },
  { id: 'points', title: 'Count', width: 96, align: 'right', cell: ({ points }) => <Count value={points} /> },
]

/** The heat over the page, or its cells as a table. */
export function HeatFigure(props: HeatFigureProps) {
  const { views, kind, map, isFixed, area, picture, look, onLook, onArea, onFixed } = props
  const cells = useMemo(() => cellsOf(map, isFixed), [map, isFixed])
  const outline = outlineOf(map, cells)
  const title = `${kindNames[kind]} on ${shownPage(views.page)}`
  const onPage = map.points - map.fixedPoints
  return (
    <ChartFrame
      className="min-h-0 flex-1 grid-rows-[minmax(0,1fr)_auto] max-sheet:min-h-[60vh]"
      title={title}
      data={heatChart(cells, kind)}
      shape="bars"
      look={look}
      onLook={onLook}
      picture={() =>
        drawHeatPicture(title, `${countText(kind, onPage)}, ${views.device}, last ${views.range}`, cells, outline)
      }
      table={
        <Table
          label={title}
          columns={columns}
          rows={cells}
          rowKey={({ fromX, fromY }) => `${fromX} ${fromY}`}
          onOpen={onArea}
        />
      }
      note={<Totals map={map} kind={kind} isFixed={isFixed} onFixed={onFixed} />}
    >
      <div className="flex min-h-0 flex-col">
        {picture === null && <NoPicture />}
        <PageBox {...{ picture, outline }} foldPx={map.height} isViewport={isFixed}>
          {(size) => <HeatLayer {...{ ...size, kind, cells, area, onArea }} />}
        </PageBox>
      </div>
    </ChartFrame>
  )
}

const usualWidth = 1280
const usualHeight = 800

/** The page's size where no picture says it: its viewport's width, and down to the lowest cell. */
function outlineOf({ width, height }: Heatmap, cells: readonly Cell[]) {
  const lowest = cells.reduce((most, { toY }) => Math.max(most, toY), height || usualHeight)
  return { width: width || usualWidth, height: lowest + marginPx }
}
const marginPx = 40

type TotalsProps = Pick<HeatFigureProps, 'map' | 'kind' | 'isFixed' | 'onFixed'>

/** How many positions there are, and a choice between the page and what stays in place when it scrolls. */
function Totals({ map, kind, isFixed, onFixed }: TotalsProps) {
  return (
    <span className="flex flex-wrap items-center gap-2 px-4 py-1 text-sm">
      <span role="status">
        {map.points === 0
          ? 'Nothing of this kind in this time at these widths.'
          : `${countText(kind, map.points)} of ${visitorsText(map.visitors)}, in ${sessionsText(map.sessions)}`}
      </span>
      {map.fixedPoints > 0 && (
        <Chip on={isFixed} onToggle={onFixed}>
          {map.fixedPoints.toLocaleString('en')} on fixed elements
        </Chip>
      )}
      {map.isCut && <span>Only the places with the most are drawn.</span>}
    </span>
  )
}
