import { useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { eventNamesQuery } from '../../lib/api/queries.ts'
import { PropertiesBar } from './filter-bar.tsx'
import { PropertiesView } from './properties-view.tsx'
import { eventPropertiesQuery } from './queries.ts'
import { type PropertiesFilter, usualRange } from './search.ts'

interface PropertiesScreenProps {
  readonly filter: PropertiesFilter
  readonly onFilter: (filter: PropertiesFilter) => void
}

/** The names of the properties of events, how many events have each, and its column in ClickHouse where it has one. */
export function PropertiesScreen({ filter, onFilter }: PropertiesScreenProps) {
  const { data, error, refetch } = useQuery(eventPropertiesQuery(filter))
  const { data: names } = useQuery(eventNamesQuery(filter.range ?? usualRange))
  return (
    <Page
      crumbs={[{ label: 'Events', link: { to: '/events' } }]}
      title="Properties"
      facts={data && data.looked > 0 && <span>of the newest {data.looked.toLocaleString('en-GB')} events</span>}
    >
      <PropertiesBar filter={filter} names={names?.names ?? []} onFilter={onFilter} />
      {error && !data ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <PropertiesView found={data} filter={filter} onFilter={onFilter} />
      )}
    </Page>
  )
}
