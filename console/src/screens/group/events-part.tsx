import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import type { EventSummary, GroupName } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { EventDrawer } from '../../thread/events/event-drawer.tsx'
import { EventName } from '../../thread/events/event-name.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { PersonCell } from './person-cell.tsx'
import { groupEventsQuery } from './queries.ts'

interface EventsPartProps {
  readonly name: GroupName
  /** Only errors, where it is so. */
  readonly kind: 'events' | 'errors'
  readonly openId: string | undefined
  readonly onOpen: (id: string | undefined) => void
}

const columns: readonly TableColumn<EventSummary>[] = [
  { id: 'at', title: 'Time', width: 112, cell: ({ at }) => <Time at={at} look="clock" className="mono text-ink-2" /> },
  { id: 'event', title: 'Event', cell: (event) => <EventName event={event} /> },
  { id: 'person', title: 'Person', width: 180, from: 'narrow', cell: (event) => <PersonCell {...event} /> },
  {
    id: 'path',
    title: 'Page',
    width: 180,
    from: 'full',
    cell: ({ path, url }) => (
      <span className="mono text-ink-2" title={url ?? undefined}>
        {path ?? '–'}
      </span>
    ),
  },
]

const emptyText = {
  events: ['No events.', 'Those that named this group are not stored any more.'],
  errors: ['No errors.', 'What goes wrong for this group appears here.'],
} as const

/** The events that named a group, or the errors among them, one of them open beside the list. */
export function EventsPart({ name, kind, openId, onOpen }: EventsPartProps) {
  const queryClient = useQueryClient()
  const { query, loadMore } = groupEventsQuery(queryClient, name, kind === 'errors' ? '$exception' : null)
  const { data: list, error, refetch } = useQuery(query)
  const [title, text] = emptyText[kind]
  return (
    <>
      {error && !list ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : list === undefined ? (
        <SkeletonRows rows={12} />
      ) : list.items.length === 0 ? (
        <Empty title={title}>
          <p>{text}</p>
        </Empty>
      ) : (
        <Table
          label={kind === 'errors' ? 'Errors' : 'Events'}
          columns={columns}
          rows={list.items}
          rowKey={({ id }) => id}
          openKey={openId}
          onOpen={({ id }) => onOpen(id)}
          onEnd={() => inBackground(loadMore())}
        />
      )}
      <EventDrawer id={openId} onClose={() => onOpen(undefined)} />
    </>
  )
}
