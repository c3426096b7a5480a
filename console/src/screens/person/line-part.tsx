import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { instanceQuery } from '../../lib/api/queries.ts'
import { inBackground } from '../../lib/in-background.ts'
import { EventDrawer } from '../../thread/events/event-drawer.tsx'
import { RequestDrawer } from '../../thread/request/request-drawer.tsx'
import { LineView, openIdOf } from './line-view.tsx'
import { personLineQuery } from './queries.ts'
import { type PersonSearch, readKinds } from './search.ts'

interface LinePartProps {
  readonly personId: string
  readonly search: PersonSearch
  readonly onSearch: (search: PersonSearch) => void
}

/** A person's line of time, with what is open of it beside it. */
export function LinePart({ personId, search, onSearch }: LinePartProps) {
  const { open, ...closed } = search
  const queryClient = useQueryClient()
  const kinds = readKinds(search.kinds)
  const { query, loadMore } = personLineQuery(queryClient, personId, kinds)
  const { data: list, error, refetch } = useQuery(query)
  const { data: instance } = useQuery(instanceQuery)
  const close = () => onSearch(closed)
  // An event's id begins with its instant.
  const isEvent = open?.includes('.') === true
  return (
    <>
      {error && !list ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <LineView
          list={list}
          kinds={kinds}
          inboxUrl={instance?.inboxUrl ?? undefined}
          openId={open}
          onKinds={(next) => onSearch(next.length > 0 ? { kinds: next.join() } : {})}
          onOpen={(moment) => {
            const id = openIdOf(moment)
            if (id !== undefined) onSearch({ ...closed, open: id })
          }}
          onEnd={() => inBackground(loadMore())}
        />
      )}
      <EventDrawer id={isEvent ? open : undefined} onClose={close} />
      <RequestDrawer id={isEvent ? undefined : open} onClose={close} />
    </>
  )
}
