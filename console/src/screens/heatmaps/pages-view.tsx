import { Link } from '@tanstack/react-router'
import type { HeatmapPage } from '../../lib/api/schemas.ts'
import { Empty } from '../../ui/empty.tsx'
import { Filter, Select } from '../../ui/field.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import type { TableColumn } from '../../ui/table.tsx'
import { Count } from '../../ui/time.tsx'
import { rangeOptions } from './range-options.ts'
import { type HeatmapRange, type HeatmapsSearch, shownPage, usualRange } from './search.ts'

interface PagesProps {
  /** Absent while they are on their way. */
  readonly pages: readonly HeatmapPage[] | undefined
  readonly search: HeatmapsSearch
  readonly onSearch: (search: HeatmapsSearch) => void
  readonly onOpen: (page: HeatmapPage) => void
}

const number = (
  id: string,
  title: string,
  value: (page: HeatmapPage) => number,
  from?: 'narrow' | 'sheet' | 'wide',
): TableColumn<HeatmapPage> => ({
  ...{ id, title, width: 104, align: 'right' },
  ...(from && { from }),
  cell: (page) => <Count value={value(page)} />,
})

const columnsFor = (range: HeatmapRange): readonly TableColumn<HeatmapPage>[] => [
  {
    id: 'page',
    title: 'Page',
    cell: ({ page, device }) => (
      <Link
        to="/heatmaps"
        search={{ page, device, ...(range !== usualRange && { range }) }}
        className="mono hover:underline"
        title={page}
      >
        {shownPage(page)}
      </Link>
    ),
  },
  number('clicks', 'Clicks', ({ clicks }) => clicks),
  number('rage', 'Rage clicks', ({ rageClicks }) => rageClicks, 'sheet'),
  number('dead', 'Dead clicks', ({ deadClicks }) => deadClicks, 'sheet'),
  number('moves', 'Movement', ({ moves }) => moves, 'wide'),
  number('views', 'Scrolled views', ({ views }) => views, 'wide'),
  {
    id: 'device',
    title: 'Most on',
    width: 88,
    from: 'narrow',
    cell: ({ device }) => <span className="text-ink-2">{device}</span>,
  },
]

/** The pages of which it is known where people clicked, moved or scrolled. */
export function PagesView({ pages, search, onSearch, onOpen }: PagesProps) {
  const { q = '', range = usualRange } = search
  return (
    <>
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1">
        <Filter
          label="Filter the pages: a part of the address, * for any part"
          value={q}
          onChange={(next) => {
            const { q: _before, ...rest } = search
            onSearch(next === '' ? rest : { ...rest, q: next })
          }}
        />
        {q !== '' && q.includes('*') && (
          <Link to="/heatmaps" search={{ page: q, ...(range !== usualRange && { range }) }} className="underline">
            All pages that fit, as one map
          </Link>
        )}
        <Select
          label="Range of time"
          value={range}
          options={rangeOptions}
          onChange={(next) => onSearch({ ...search, range: next })}
        />
      </div>
      <ListTable
        label="Pages"
        columns={columnsFor(range)}
        rows={pages}
        rowKey={({ page }) => page}
        onOpen={onOpen}
        none={<NoPages isFiltered={q !== ''} />}
      />
    </>
  )
}

function NoPages({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty title="No page fits this filter.">
        <p>A part of an address finds the pages that have it; a star stands for any part, as in */product/*.</p>
      </Empty>
    )
  return (
    <Empty title="No heat maps in this time.">
      <p>
        Browsers say where people click and move once an owner switches it on under{' '}
        <Link to="/events/settings" search={{ open: 'capture_heatmaps' }} className="underline">
          Capture settings
        </Link>
        . How far pages are scrolled comes with page views. The page behind a map is drawn from a recording of it.
      </p>
    </Empty>
  )
}
