import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PersonMoment } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { Operation, RowLink } from '../../thread/change-lines.tsx'
import { EventName } from '../../thread/events/event-name.tsx'
import { Chip, Status } from '../../ui/badge.tsx'
import { Empty, NoMatch } from '../../ui/empty.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import type { TableColumn } from '../../ui/table.tsx'
import { Duration, Time } from '../../ui/time.tsx'
import { type MomentKind, momentKinds } from './search.ts'

interface LineProps {
  /** Absent while the first page is on its way. */
  readonly list: GrowingList<PersonMoment> | undefined
  /** Those that are shown; all where none is named. */
  readonly kinds: readonly MomentKind[]
  readonly inboxUrl: string | undefined
  readonly openId: string | undefined
  readonly onKinds: (kinds: readonly MomentKind[]) => void
  readonly onOpen: (moment: PersonMoment) => void
  readonly onEnd: () => void
}

const kindText: Readonly<Record<MomentKind, string>> = {
  event: 'events',
  session: 'sessions',
  request: 'requests',
  change: 'rows',
  error: 'errors',
  mail: 'mails',
}

const columnsOf = (inboxUrl: string | undefined): readonly TableColumn<PersonMoment>[] => [
  { id: 'at', title: 'Time', width: 112, cell: ({ at }) => <Time at={at} look="clock" className="mono text-ink-2" /> },
  {
    id: 'kind',
    title: 'Kind',
    width: 76,
    from: 'narrow',
    cell: ({ kind }) => <span className="text-ink-2">{kind === 'change' ? 'row' : kind}</span>,
  },
  { id: 'what', title: 'What', cell: (moment) => whatOf(moment, inboxUrl) },
  {
    id: 'session',
    title: 'Session',
    width: 84,
    align: 'right',
    cell: ({ sessionId, at }) =>
      sessionId && (
        <Link
          to="/sessions/$id"
          params={{ id: sessionId }}
          search={{ at }}
          aria-label="Watch the session at that moment"
          className="inline-flex items-center gap-1 hover:underline"
        >
          <Play aria-hidden="true" className="size-3 fill-thread text-thread" />
          watch
        </Link>
      ),
  },
]

function whatOf(moment: PersonMoment, inboxUrl: string | undefined): ReactNode {
  const { event, session, request, change, error, mail } = moment
  if (event)
    return (
      <>
        <EventName event={event} /> {event.path && <span className="mono text-ink-2 text-sm">{event.path}</span>}
      </>
    )
  if (session)
    return (
      <>
        <Link to="/sessions/$id" params={{ id: session.id }} className="font-medium hover:underline">
          Session
        </Link>{' '}
        <span className="text-ink-2">
          <Duration ms={session.durationMs} />, {session.pages} {session.pages === 1 ? 'page' : 'pages'}
          {session.browser && `, ${session.browser}`} <span className="mono text-sm">{session.entryPath}</span>
        </span>
      </>
    )
  if (change)
    return (
      <>
        <Operation operation={change.operation} /> <RowLink change={change} />
      </>
    )
  if (request)
    return (
      <>
        <span className="mono">
          {request.method} {request.path}
        </span>{' '}
        <Status status={request.status} /> <Duration ms={request.durationMs} className="text-ink-2" />
      </>
    )
  if (error)
    return (
      <Link to="/errors/$id" params={{ id: error.issueId }} className="text-danger hover:underline" title={error.title}>
        {error.title}
      </Link>
    )
  return (
    mail && (
      <a href={inboxUrl && `${inboxUrl}/${moment.id}`} className="hover:underline">
        {mail.subject} <span className="text-ink-2">to {mail.to}</span>
      </a>
    )
  )
}

/** All that a person did, and what happened to them, on one line of time, newest first. */
export function LineView({ list, kinds, inboxUrl, openId, onKinds, onOpen, onEnd }: LineProps) {
  const opened = openId === undefined ? undefined : list?.items.find((moment) => openIdOf(moment) === openId)
  const openKey = opened && keyOf(opened)
  return (
    <>
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1.5">
        {momentKinds.map((kind) => (
          <Chip
            key={kind}
            on={kinds.includes(kind)}
            onToggle={(on) => onKinds(on ? [...kinds, kind] : kinds.filter((each) => each !== kind))}
          >
            {kindText[kind]}
          </Chip>
        ))}
      </div>
      <ListTable
        label="Line of time"
        columns={columnsOf(inboxUrl)}
        rows={list?.items}
        bars={16}
        rowKey={keyOf}
        onOpen={onOpen}
        openKey={openKey}
        onEnd={onEnd}
        none={
          kinds.length > 0 ? (
            <NoMatch title="Nothing of these kinds." all="Show all kinds" onAll={() => onKinds([])} />
          ) : (
            <Empty title="Nothing yet.">
              <p>
                Their sessions, events, requests, the rows they change, errors they meet and mails to them appear here.
              </p>
            </Empty>
          )
        }
      />
    </>
  )
}

const keyOf = ({ kind, id }: PersonMoment): string => `${kind} ${id}`

/** What opens beside the line: an event, or a request, also of the row that it changed. */
export const openIdOf = ({ event, request, id }: PersonMoment): string | undefined => (event ? id : request?.id)
