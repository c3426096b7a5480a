import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { instanceQuery } from '../../lib/api/queries.ts'
import type { PersonSummary } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { PeopleView } from './people-view.tsx'
import { peopleQuery } from './queries.ts'
import type { PeopleFilter } from './search.ts'

interface PeopleScreenProps {
  readonly filter: PeopleFilter
  readonly onFilter: (filter: PeopleFilter) => void
  readonly onOpen: (person: PersonSummary) => void
}

/** Who visits the application. */
export function PeopleScreen({ filter, onFilter, onOpen }: PeopleScreenProps) {
  const queryClient = useQueryClient()
  const { query, loadMore } = peopleQuery(queryClient, filter)
  const { data: list, error, refetch } = useQuery(query)
  const { data: instance } = useQuery(instanceQuery)
  return (
    <Page
      title="People"
      actions={
        <Link to="/groups" className="px-2 text-ink-2 hover:text-ink">
          Groups
        </Link>
      }
    >
      {error && !list ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <PeopleView
          list={list}
          filter={filter}
          instance={instance}
          onFilter={onFilter}
          onOpen={onOpen}
          onEnd={() => inBackground(loadMore())}
        />
      )}
    </Page>
  )
}
