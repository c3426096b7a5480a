import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { eventNamesQuery, instanceQuery } from '../../lib/api/queries.ts'
import { inBackground } from '../../lib/in-background.ts'
import { EventDrawer } from '../../thread/events/event-drawer.tsx'
import { Chip } from '../../ui/badge.tsx'
import { buttonClasses } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { EventsView } from './events-view.tsx'
import { eventPropertiesQuery, eventsQuery } from './queries.ts'
import { type EventsSearch, readPropertiesSearch, usualRange } from './search.ts'

interface EventsScreenProps {
  readonly search: EventsSearch
  readonly onSearch: (search: EventsSearch) => void
}

/** Every event as it is stored, or a list that stands still; one of them open beside it. */
export function EventsScreen({ search, onSearch }: EventsScreenProps) {
  const { open, live, ...filter } = search
  const queryClient = useQueryClient()
  const isLive = live !== 'off'
  const { query, loadMore } = eventsQuery(queryClient, filter, isLive)
  const { data: list, error, refetch } = useQuery({ ...query, refetchOnWindowFocus: isLive })
  const { data: names } = useQuery(eventNamesQuery(filter.range ?? usualRange))
  // Read when one is to be named: it looks at what events say.
  const [isNaming, setNaming] = useState(false)
  const { data: said } = useQuery({ ...eventPropertiesQuery(filter), enabled: isNaming })
  const { data: instance } = useQuery(instanceQuery)
  const still = live && { live }
  return (
    <Page
      title="Events"
      actions={
        <>
          <Link
            to="/events/properties"
            search={readPropertiesSearch({ ...filter })}
            className={classes(buttonClasses('bare'), 'max-narrow:hidden')}
          >
            Properties
          </Link>
          <Link to="/events/settings" className={classes(buttonClasses('bare'), 'max-narrow:hidden')}>
            Capture settings
          </Link>
          <Chip
            on={isLive}
            onToggle={(on) => onSearch({ ...filter, ...(open && { open }), ...(on ? {} : { live: 'off' }) })}
          >
            Live
          </Chip>
        </>
      }
    >
      <EventsView
        list={list}
        failure={error && !list && <ErrorProblem error={error} onRetry={refetch} />}
        names={names?.names ?? []}
        properties={said?.properties.map(({ name }) => name) ?? []}
        filter={filter}
        instance={instance}
        openId={open}
        onNaming={() => setNaming(true)}
        onFilter={(next) => onSearch({ ...next, ...still })}
        onOpen={({ id }) => onSearch({ ...filter, ...still, open: id })}
        onEnd={() => inBackground(loadMore())}
      />
      <EventDrawer id={open} onClose={() => onSearch({ ...filter, ...still })} />
    </Page>
  )
}
