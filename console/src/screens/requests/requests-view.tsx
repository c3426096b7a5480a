import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import type { Instance, RequestSummary } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { personName } from '../../lib/person.ts'
import { readableQuery } from '../../lib/request-text.ts'
import { Chip, Status } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Filter, Select } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Duration, Time } from '../../ui/time.tsx'
import type { RequestFilter } from './queries.ts'

interface RequestsProps {
  /** Absent while the first page is on its way. */
  readonly list: GrowingList<RequestSummary> | undefined
  readonly filter: RequestFilter
  readonly instance: Instance | undefined
  readonly openId: string | undefined
  readonly onFilter: (filter: RequestFilter) => void
  readonly onOpen: (request: RequestSummary) => void
  readonly onEnd: () => void
}

const methods = ['', 'GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD'].map((value) => ({
  value,
  label: value === '' ? 'Any method' : value,
}))
const anyService = { value: '', label: 'Any service' }
const statuses = [
  { value: '2xx', label: '2xx' },
  { value: '4xx', label: '4xx' },
  { value: '5xx', label: '5xx' },
  { value: 'error', label: 'errors' },
]

const columns: readonly TableColumn<RequestSummary>[] = [
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
      person ? <span title={person.distinctId}>{personName(person)}</span> : <span className="text-ink-2">{role}</span>,
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

/** Every call to the services, newest first; what is typed or chosen narrows it. */
export function RequestsView({ list, filter, instance, openId, onFilter, onOpen, onEnd }: RequestsProps) {
  const set = (name: keyof RequestFilter, value: string) => onFilter(changed(filter, name, value))
  const isFiltered = Object.keys(filter).length > 0
  const services = [anyService, ...(instance?.services ?? []).map((name) => ({ value: name, label: name }))]
  return (
    <>
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1.5">
        <Filter
          label="Filter by path or query"
          value={filter.q ?? ''}
          onChange={(value) => set('q', value)}
          className="min-w-40 max-sheet:basis-full"
        />
        {filter.session && (
          <Chip on onToggle={() => set('session', '')}>
            one session ×
          </Chip>
        )}
        {statuses.map(({ value, label }) => (
          <Chip key={value} on={filter.status === value} onToggle={(on) => set('status', on ? value : '')}>
            {label}
          </Chip>
        ))}
        <Select
          label="Method"
          value={filter.method ?? ''}
          options={methods}
          onChange={(value) => set('method', value)}
        />
        <Select
          label="Service"
          value={filter.service ?? ''}
          options={services}
          onChange={(value) => set('service', value)}
        />
      </div>
      {list === undefined ? (
        <SkeletonRows rows={18} />
      ) : list.items.length > 0 ? (
        <Table
          label="Requests"
          columns={columns}
          rows={list.items}
          rowKey={({ id }) => id}
          onOpen={onOpen}
          openKey={openId}
          onEnd={onEnd}
        />
      ) : isFiltered ? (
        <Empty title="No requests match this filter.">
          <p>
            <Button onClick={() => onFilter({})}>Show all requests</Button>
          </p>
        </Empty>
      ) : (
        <Empty title="No requests yet.">
          <p>
            Each request of your application appears here as soon as it ends, with its status, its duration, its SQL and
            the rows it changed.
          </p>
          {instance && <Code text={instance.snippets.supabase.code} copyLabel="Copy the client setup" />}
        </Empty>
      )}
    </>
  )
}

function changed(filter: RequestFilter, name: keyof RequestFilter, value: string): RequestFilter {
  const { [name]: _before, ...rest } = filter
  return value === '' ? rest : { ...rest, [name]: value }
}

function None() {
  return <span className="text-ink-3">–</span>
}
