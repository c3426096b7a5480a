import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { EventSummary, Instance } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { personName, visitorName } from '../../lib/person.ts'
import { EventName } from '../../thread/events/event-name.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty, NoMatch } from '../../ui/empty.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import type { TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { EventsFilterBar, type NamedEvent } from './filter-bar.tsx'
import { type EventsFilter, usualRange } from './search.ts'

interface EventsProps {
  /** Absent while the first page is on its way. */
  readonly list: GrowingList<EventSummary> | undefined
  /** Stands in place of a list that cannot be had. */
  readonly failure: ReactNode
  /** What the filter offers. */
  readonly names: readonly NamedEvent[]
  readonly properties: readonly string[]
  readonly filter: EventsFilter
  readonly instance: Instance | undefined
  readonly openId: string | undefined
  readonly onNaming: () => void
  readonly onFilter: (filter: EventsFilter) => void
  readonly onOpen: (event: EventSummary) => void
  readonly onEnd: () => void
}

const columns: readonly TableColumn<EventSummary>[] = [
  { id: 'at', title: 'Time', width: 112, cell: ({ at }) => <Time at={at} look="clock" className="mono text-ink-2" /> },
  { id: 'event', title: 'Event', cell: (event) => <EventName event={event} /> },
  {
    id: 'person',
    title: 'Person',
    width: 200,
    from: 'narrow',
    cell: ({ person, distinctId }) =>
      person ? (
        <Link to="/people/$id" params={{ id: person.id }} className="hover:underline">
          {personName({ ...person, distinctId })}
        </Link>
      ) : (
        <span className="text-ink-2" title={distinctId}>
          {visitorName(distinctId)}
        </span>
      ),
  },
  {
    id: 'path',
    title: 'Page',
    width: 200,
    from: 'sheet',
    cell: ({ path, url }) =>
      path ? (
        <span className="mono text-ink-2" title={url ?? undefined}>
          {path}
        </span>
      ) : (
        <None />
      ),
  },
  {
    id: 'browser',
    title: 'From',
    width: 148,
    from: 'full',
    cell: ({ browser, os, lib }) => (
      <span className="text-ink-2">{[browser, os].filter(Boolean).join(', ') || lib || '–'}</span>
    ),
  },
]

/** The events that fit, newest first. */
export function EventsView(props: EventsProps) {
  const { list, failure, names, properties, filter, instance, openId, onNaming, onFilter, onOpen, onEnd } = props
  const { range = usualRange, ...narrowed } = filter
  return (
    <>
      <EventsFilterBar filter={filter} names={names} properties={properties} onNaming={onNaming} onFilter={onFilter} />
      {failure ? (
        failure
      ) : (
        <ListTable
          label="Events"
          columns={columns}
          rows={list?.items}
          bars={18}
          rowKey={({ id }) => id}
          onOpen={onOpen}
          openKey={openId}
          onEnd={onEnd}
          none={
            Object.keys(narrowed).length > 0 ? (
              <NoMatch
                title={`No events of the last ${rangeText[range]} match this filter.`}
                all="Show all events"
                onAll={() => onFilter({})}
              />
            ) : (
              <Empty title={`No events in the last ${rangeText[range]}.`}>
                <p>Page views, clicks and all that your application captures appear here the moment they are stored.</p>
                {instance && <Code text={instance.snippets.posthog.code} copyLabel="Copy the analytics setup" />}
              </Empty>
            )
          }
        />
      )}
    </>
  )
}

const rangeText = { '1h': 'hour', '24h': 'day', '7d': '7 days', '30d': '30 days', '90d': '90 days' } as const

function None() {
  return <span className="text-ink-2">–</span>
}
