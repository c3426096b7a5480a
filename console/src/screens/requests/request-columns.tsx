import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import type { PersonRef, RequestSummary } from '../../lib/api/schemas.ts'
import { personName } from '../../lib/person.ts'
import { readableQuery } from '../../lib/request-text.ts'
import { Status } from '../../ui/badge.tsx'
import type { TableColumn } from '../../ui/table.tsx'
import { Duration, Time } from '../../ui/time.tsx'
import { readRequestsSearch } from './search.ts'

/** What the list says of a request. */
export const requestColumns: readonly TableColumn<RequestSummary>[] = [
  { id: 'at', title: 'Time', width: 116, cell: ({ at }) => <Time at={at} look="clock" className="mono text-ink-2" /> },
  {
    id: 'method',
    title: 'Method',
    width: 72,
    from: 'sheet',
    cell: ({ method }) => <span className="mono font-medium">{method}</span>,
  },
  {
    id: 'path',
    title: 'Path',
    cell: ({ id, method, path, query }) => (
      <Link
        to="/requests/$id"
        params={{ id }}
        title={`${method} ${path}${readableQuery(query)}`}
        className="mono hover:underline"
      >
        <span className="sheet:hidden">{method} </span>
        {path}
        <span className="text-ink-2">{readableQuery(query)}</span>
      </Link>
    ),
  },
  { id: 'status', title: 'Status', width: 64, align: 'right', cell: ({ status }) => <Status status={status} /> },
  {
    id: 'duration',
    title: 'Duration',
    width: 92,
    align: 'right',
    from: 'narrow',
    cell: ({ durationMs }) => <Duration ms={durationMs} />,
  },
  {
    id: 'database',
    title: 'Database',
    width: 88,
    align: 'right',
    from: 'wide',
    cell: ({ databaseMs, statements }) =>
      statements > 0 ? <Duration ms={databaseMs} className="text-ink-2" /> : <None />,
  },
  { id: 'rows', title: 'Rows', width: 60, align: 'right', from: 'sheet', cell: ({ rows }) => rows ?? <None /> },
  {
    id: 'changes',
    title: 'Changed',
    width: 76,
    align: 'right',
    from: 'sheet',
    cell: ({ changes }) => (changes > 0 ? changes : <None />),
  },
  {
    id: 'person',
    title: 'Person',
    width: 168,
    from: 'wide',
    cell: ({ person, role }) =>
      person ? <PersonFilter person={person} /> : <span className="text-ink-2">{role}</span>,
  },
  {
    id: 'session',
    title: 'Session',
    width: 72,
    from: 'sheet',
    cell: ({ sessionId }) =>
      sessionId ? (
        <Link
          to="/sessions/$id"
          params={{ id: sessionId }}
          aria-label="Open the session"
          title="Open the session"
          className="-ml-1.5 inline-grid size-6 place-items-center rounded-small text-ink-2 hover:text-thread"
        >
          <Play aria-hidden="true" className="size-3.5" />
        </Link>
      ) : (
        <None />
      ),
  },
]

/** Narrows the list to a person's requests. */
function PersonFilter({ person }: { readonly person: PersonRef }) {
  const id = person.personId ?? person.userId
  const name = personName(person)
  return id === null ? (
    <span title={person.distinctId}>{name}</span>
  ) : (
    <Link
      to="/requests"
      search={(search) => ({ ...readRequestsSearch(search), person: id })}
      title={`Only requests of ${name}`}
      className="hover:underline"
    >
      {name}
    </Link>
  )
}

function None() {
  return <span className="text-ink-3">–</span>
}
