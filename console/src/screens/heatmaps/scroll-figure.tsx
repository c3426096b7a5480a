import type { ChartLook } from '../../charts/chart-data.ts'
import { ChartFrame } from '../../charts/chart-frame.tsx'
import type { HeatmapPicture, ScrollMap } from '../../lib/api/schemas.ts'
import { Empty } from '../../ui/empty.tsx'
import { bandsOf, scrollChart } from './heat-data.ts'
import { PageBox } from './map/page-box.tsx'
import { ScrollLayer } from './map/scroll-layer.tsx'
import { NoPicture } from './no-picture.tsx'
import { shownPage } from './search.ts'

interface ScrollFigureProps {
  readonly page: string
  readonly map: ScrollMap
  /** Undefined while it is looked for; null: there is none. */
  readonly picture: HeatmapPicture | null | undefined
  readonly look: ChartLook
  readonly onLook: (look: ChartLook) => void
}

/** Which part of the views reached each depth of a page, over the page. */
export function ScrollFigure({ page, map, picture, look, onLook }: ScrollFigureProps) {
  if (map.views === 0)
    return (
      <Empty title="No view of this page was left in this time at these widths.">
        <p>
          How far a page was scrolled is said once a visitor leaves it, with the next page view or the end of the visit.
        </p>
      </Empty>
    )
  const bands = bandsOf(map)
  return (
    <ChartFrame
      className="min-h-0 flex-1 grid-rows-[minmax(0,1fr)_auto]"
      title={`Scroll depth on ${shownPage(page)}`}
      data={scrollChart(bands)}
      shape="bars"
      look={look}
      onLook={onLook}
      note={
        <span role="status" className="px-4 py-1 text-sm">
          {map.views.toLocaleString('en')} {map.views === 1 ? 'view' : 'views'}; the page is {map.height} px high, of
          which {map.fold} px are seen without scrolling.
        </span>
      }
    >
      <div className="flex min-h-0 flex-col">
        {picture === null && <NoPicture />}
        <PageBox
          picture={picture}
          outline={{ width: outlineWidth, height: map.height }}
          foldPx={map.fold}
          isViewport={false}
        >
          {() => <ScrollLayer bands={bands} />}
        </PageBox>
      </div>
    </ChartFrame>
  )
}

const outlineWidth = 1280
