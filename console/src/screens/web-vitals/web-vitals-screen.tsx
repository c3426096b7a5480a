import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import type { VitalPaths, WebVitals } from '../../lib/api/schemas.ts'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/empty.tsx'
import { Select } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { VitalsFilterBar } from './filter-bar.tsx'
import { PathsTable } from './paths-table.tsx'
import { pathsQuery, vitalsQuery } from './queries.ts'
import { filterOf, usual, type VitalsSearch } from './search.ts'
import { VisitsDrawer } from './visits-drawer.tsx'
import { VitalCards } from './vital-cards.tsx'

// The library that draws it is loaded with the first chart.
const CourseChart = lazy(async () => ({ default: (await import('./course-chart.tsx')).CourseChart }))

interface WebVitalsScreenProps {
  readonly search: VitalsSearch
  readonly onSearch: (search: VitalsSearch) => void
}

/** How soon pages show and answer, as browsers measured it. */
export function WebVitalsScreen({ search, onSearch }: WebVitalsScreenProps) {
  const { percentile = usual.percentile, vital = usual.vital, order, open } = search
  const filter = filterOf(search)
  const { data, error, refetch } = useQuery(vitalsQuery(filter))
  const paths = useQuery(pathsQuery(filter, percentile, order === 'worst' ? vital : 'views'))
  const { open: _open, ...closed } = search
  const failed = error ?? paths.error
  return (
    <Page
      title="Web vitals"
      actions={
        <Link to="/events/settings" className={classes(buttonClasses('bare'), 'max-narrow:hidden')}>
          Capture settings
        </Link>
      }
    >
      <VitalsFilterBar search={closed} choices={data?.choices} onSearch={onSearch} />
      {failed && (data === undefined || paths.data === undefined) ? (
        <ErrorProblem
          error={failed}
          onRetry={async () => {
            await Promise.all([refetch(), paths.refetch()])
          }}
        />
      ) : data === undefined || paths.data === undefined ? (
        <SkeletonRows rows={16} />
      ) : (
        <Measurements data={data} found={paths.data} search={search} onSearch={onSearch} />
      )}
      <VisitsDrawer
        path={open}
        filter={filter}
        vital={vital}
        onVital={(next) => onSearch({ ...search, vital: next })}
        onClose={() => onSearch(closed)}
      />
    </Page>
  )
}

interface MeasurementsProps extends WebVitalsScreenProps {
  readonly data: WebVitals
  readonly found: VitalPaths
}

function Measurements({ data, found, search, onSearch }: MeasurementsProps) {
  const {
    percentile = usual.percentile,
    vital = usual.vital,
    order,
    look = 'chart',
    range = usual.range,
    open,
  } = search
  if (data.vitals.every(({ views, leftOut }) => views + leftOut === 0))
    return <NothingMeasured {...{ search, onSearch }} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto" tabIndex={0}>
      <VitalCards
        vitals={data.vitals}
        percentile={percentile}
        chosen={vital}
        onChoose={(next) => onSearch({ ...search, vital: next })}
      />
      <Suspense fallback={<div className="h-56 shrink-0 border-line border-b" />}>
        <CourseChart
          key={range}
          course={data.course}
          vital={vital}
          look={look}
          onLook={(next) => {
            const { look: _look, ...rest } = search
            onSearch(next === 'table' ? { ...rest, look: next } : rest)
          }}
        />
      </Suspense>
      <div className="flex min-h-10 shrink-0 items-center gap-1.5 px-4">
        <h2 className="font-medium">By path</h2>
        <span className="ml-auto">
          <Select
            label="Order"
            value={order ?? 'views'}
            options={[
              { value: 'views', label: 'Most views first' },
              { value: 'worst', label: `Worst ${vital} first` },
            ]}
            onChange={(next) => {
              const { order: _order, ...rest } = search
              onSearch(next === 'worst' ? { ...rest, order: 'worst' } : rest)
            }}
          />
        </span>
      </div>
      <PathsTable found={found} chosen={vital} open={open} onOpen={(path) => onSearch({ ...search, open: path })} />
    </div>
  )
}

const rangeText = { '24h': 'day', '7d': '7 days', '30d': '30 days', '90d': '90 days' } as const

function NothingMeasured({ search, onSearch }: WebVitalsScreenProps) {
  const { range = usual.range, ...filter } = filterOf(search)
  const time = rangeText[range]
  if (Object.keys(filter).length > 0)
    return (
      <Empty title={`No web vitals of the last ${time} match this filter.`}>
        <p>
          <Button onClick={() => onSearch({ range })}>Show all web vitals</Button>
        </p>
      </Empty>
    )
  return (
    <Empty title={`No web vitals in the last ${time}.`}>
      <p>
        Browsers measure how soon each page shows, answers and rests, and posthog-js sends that some seconds after a
        page was opened. It does where “Web vitals” is on in the{' '}
        <Link to="/events/settings" className="quiet-link">
          capture settings
        </Link>
        .
      </p>
    </Empty>
  )
}
