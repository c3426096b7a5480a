import { useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { PageScreen } from './page-screen.tsx'
import { PagesView } from './pages-view.tsx'
import { heatmapPagesQuery } from './queries.ts'
import { type HeatmapsSearch, usualRange } from './search.ts'

interface HeatmapsScreenProps {
  readonly search: HeatmapsSearch
  readonly onSearch: (search: HeatmapsSearch) => void
  /** Goes there, so that one can go back. */
  readonly onOpen: (search: HeatmapsSearch) => void
}

/** Where people click, move and scroll: the pages, or the map of one. */
export function HeatmapsScreen({ search, onSearch, onOpen }: HeatmapsScreenProps) {
  const { page } = search
  return page === undefined ? (
    <PagesScreen search={search} onSearch={onSearch} onOpen={onOpen} />
  ) : (
    <PageScreen key={page} page={page} search={search} onSearch={onSearch} />
  )
}

function PagesScreen({ search, onSearch, onOpen }: HeatmapsScreenProps) {
  const { q = '', range = usualRange } = search
  const { data: pages, error, refetch } = useQuery(heatmapPagesQuery(q, range))
  return (
    <Page title="Heat maps">
      {error && !pages ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <PagesView
          {...{ pages, search, onSearch }}
          onOpen={({ page, device }) => onOpen({ page, device, ...(range !== usualRange && { range }) })}
        />
      )}
    </Page>
  )
}
