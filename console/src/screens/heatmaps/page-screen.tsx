import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ChartLook } from '../../charts/chart-data.ts'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { HeatFigure } from './heat-figure.tsx'
import {
  heatmapAreaQuery,
  heatmapPagesQuery,
  heatmapPictureQuery,
  heatmapQuery,
  type PageViews,
  scrollMapQuery,
} from './queries.ts'
import { ScrollFigure } from './scroll-figure.tsx'
import { type HeatmapsSearch, parseArea, renderArea, shownPage, usualRange } from './search.ts'
import { AreaPanel } from './side/area-panel.tsx'
import { Elements } from './side/elements.tsx'
import { Toolbar } from './toolbar.tsx'

interface PageScreenProps {
  readonly page: string
  readonly search: HeatmapsSearch
  readonly onSearch: (search: HeatmapsSearch) => void
}

/** The map of one page, or of all that fit a pattern. */
export function PageScreen({ page, search, onSearch }: PageScreenProps) {
  const { range = usualRange, kind = 'click' } = search
  const { data: pages } = useQuery({ ...heatmapPagesQuery(page, range), enabled: search.device === undefined })
  // A link may leave it open: then the one that the page is seen in most.
  const device = search.device ?? pages?.[0]?.device ?? (pages && 'desktop')
  return (
    <Page
      title={<span className="mono">{shownPage(page)}</span>}
      crumbs={[{ label: 'Heat maps', link: { to: '/heatmaps', search: range === usualRange ? {} : { range } } }]}
    >
      <Toolbar search={search} device={device ?? 'desktop'} onSearch={onSearch} />
      {device === undefined ? (
        <Loading />
      ) : kind === 'scroll' ? (
        <ScrollPart views={{ page, device, range }} />
      ) : (
        <PointsPart views={{ page, device, range }} search={search} onSearch={onSearch} />
      )}
    </Page>
  )
}

const Loading = () => (
  <div role="status" aria-label="Loading the heat map" className="min-h-0 flex-1 p-3">
    <Skeleton className="mx-auto h-full max-w-[960px]" />
  </div>
)

function ScrollPart({ views }: { readonly views: PageViews }) {
  const { data: map, error, refetch } = useQuery(scrollMapQuery(views))
  const { data: picture } = useQuery(heatmapPictureQuery(views))
  const [look, setLook] = useState<ChartLook>('chart')
  if (error && !map) return <ErrorProblem error={error} onRetry={refetch} />
  if (map === undefined) return <Loading />
  return <ScrollFigure page={views.page} map={map} picture={picture} look={look} onLook={setLook} />
}

interface PointsPartProps extends Pick<PageScreenProps, 'search' | 'onSearch'> {
  readonly views: PageViews
}

function PointsPart({ views, search, onSearch }: PointsPartProps) {
  const kind = search.kind === undefined || search.kind === 'scroll' ? 'click' : search.kind
  const isFixed = search.fixed === true
  const area = search.area === undefined ? null : parseArea(search.area)
  const { data: map, error, refetch } = useQuery(heatmapQuery(views, kind))
  const picture = useQuery(heatmapPictureQuery(views))
  const [look, setLook] = useState<ChartLook>('chart')
  if (error && !map) return <ErrorProblem error={error} onRetry={refetch} />
  if (map === undefined) return <Loading />
  const { area: _area, ...unchosen } = search
  return (
    <div className="flex min-h-0 flex-1 max-sheet:flex-col max-sheet:overflow-y-auto">
      <HeatFigure
        {...{ views, kind, map, isFixed, area, look }}
        picture={picture.error ? null : picture.data}
        onLook={setLook}
        onArea={(next) => onSearch({ ...search, area: renderArea(next) })}
        onFixed={(fixed) => onSearch({ ...withoutFixed(unchosen), ...(fixed && { fixed }) })}
      />
      <aside
        aria-label="Beside the heat map"
        className="w-80 shrink-0 overflow-y-auto border-line border-l max-sheet:w-full max-sheet:border-t max-sheet:border-l-0"
      >
        {area && <ChosenArea {...{ views, kind, area, isFixed }} onClose={() => onSearch(unchosen)} />}
        <Elements elements={map.elements} />
      </aside>
    </div>
  )
}

const withoutFixed = ({ fixed: _fixed, ...rest }: HeatmapsSearch): HeatmapsSearch => rest

interface ChosenAreaProps {
  readonly views: PageViews
  readonly kind: Parameters<typeof heatmapAreaQuery>[1]
  readonly area: Parameters<typeof heatmapAreaQuery>[2]
  readonly isFixed: boolean
  readonly onClose: () => void
}

function ChosenArea({ views, kind, area, isFixed, onClose }: ChosenAreaProps): ReactNode {
  const { data: found, error, refetch } = useQuery(heatmapAreaQuery(views, kind, area, isFixed))
  const problem = error && !found ? <ErrorProblem error={error} onRetry={refetch} /> : null
  return <AreaPanel {...{ area, kind, found, problem, onClose }} />
}
