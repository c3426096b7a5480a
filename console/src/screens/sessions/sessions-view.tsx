import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Table as DataTable, Instance, SessionSummary } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { Live } from '../../lib/live/live-session.tsx'
import { peopleDetail, peopleNames } from '../../lib/person.ts'
import { Chip } from '../../ui/badge.tsx'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Filter } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Duration, Time } from '../../ui/time.tsx'
import { FilterChips } from './filter-chips.tsx'
import { FilterDialog } from './filter-dialog.tsx'
import type { SessionFilter } from './queries.ts'
import { readSessionsSearch, renderListFilter } from './search.ts'

interface SessionsProps {
  /** Absent while the first page is on its way. */
  readonly list: GrowingList<SessionSummary> | undefined
  readonly filter: SessionFilter
  readonly instance: Instance | undefined
  /** Of the database, for the filter. */
  readonly tables: readonly DataTable[]
  /** Called when the filter is opened. */
  readonly onFilterOpen: () => void
  readonly onFilter: (filter: SessionFilter) => void
  readonly onOpen: (session: SessionSummary) => void
  readonly onEnd: () => void
}

const errorsCount = 'Console errors and exceptions, each counted once, and requests answered 4xx or 5xx'

const columns: readonly TableColumn<SessionSummary>[] = [
  {
    id: 'person',
    title: 'Person',
    cell: (session) => (
      <>
        <Link
          to="/sessions/$id"
          params={{ id: session.id }}
          search={(list) => renderListFilter(readSessionsSearch(list))}
          className="font-medium hover:underline"
        >
          {peopleNames(session)}
        </Link>
        <span className="ml-2 text-ink-2">{peopleDetail(session)}</span>
      </>
    ),
  },
  {
    id: 'started',
    title: 'Started',
    width: 96,
    cell: (session) => <Live session={session} otherwise={<Time at={session.startedAt} className="text-ink-2" />} />,
  },
  {
    id: 'sentence',
    title: 'What was done',
    from: 'sheet',
    cell: ({ sentence, entryPath }) =>
      sentence ? (
        <span title={sentence}>{sentence}</span>
      ) : (
        <span className="text-ink-2">{entryPath ? `Looked at ${entryPath}` : '–'}</span>
      ),
  },
  {
    id: 'browser',
    title: 'Browser',
    width: 148,
    from: 'full',
    cell: ({ browser, os }) => <span className="text-ink-2">{[browser, os].filter(Boolean).join(', ') || '–'}</span>,
  },
  {
    id: 'duration',
    title: 'Duration',
    width: 92,
    align: 'right',
    from: 'narrow',
    cell: ({ durationMs }) => <Duration ms={durationMs} />,
  },
  count('pages', 'Pages', 'sheet'),
  count('clicks', 'Clicks', 'sheet'),
  count('requests', 'Requests', 'sheet'),
  count('changes', 'Rows', 'sheet'),
  {
    id: 'errors',
    title: 'Errors',
    width: 68,
    align: 'right',
    cell: ({ errors }) =>
      errors > 0 ? (
        <span title={errorsCount} className="text-danger">
          {errors}
        </span>
      ) : (
        <None />
      ),
  },
]

function count(
  id: 'pages' | 'clicks' | 'requests' | 'changes',
  title: string,
  from: 'sheet' | 'wide',
): TableColumn<SessionSummary> {
  return { id, title, width: 76, align: 'right', from, cell: (session) => session[id] || <None /> }
}

/** Every visit, newest first, each with what it did. */
export function SessionsView(props: SessionsProps) {
  const { list, filter, instance, tables, onFilter, onFilterOpen, onOpen, onEnd } = props
  const [isFiltering, setFiltering] = useState(false)
  const { q = '' } = filter
  const isFiltered = Object.keys(filter).length > 0
  return (
    <>
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1">
        <Filter
          label="Filter by person or path"
          value={q}
          onChange={(next) => {
            const { q: _before, ...rest } = filter
            onFilter(next === '' ? rest : { ...rest, q: next })
          }}
        />
        {(['live', 'errors'] as const).map((name) => (
          <Chip key={name} on={filter[name] === true} onToggle={(on) => onFilter(toggled(filter, name, on))}>
            {name === 'live' ? 'live now' : 'with errors'}
          </Chip>
        ))}
        <FilterChips filter={filter} onFilter={onFilter} />
        <Button
          size="small"
          onClick={() => {
            onFilterOpen()
            setFiltering(true)
          }}
        >
          Filter…
        </Button>
        <Link to="/sessions/file" className={`${buttonClasses('bare')} ml-auto max-narrow:hidden`}>
          Open a recording file…
        </Link>
      </div>
      <FilterDialog
        key={JSON.stringify(filter)}
        open={isFiltering}
        filter={filter}
        tables={tables}
        onFilter={onFilter}
        onClose={() => setFiltering(false)}
      />
      {list === undefined ? (
        <SkeletonRows rows={18} />
      ) : list.items.length > 0 ? (
        <Table
          label="Sessions"
          columns={columns}
          rows={list.items}
          rowKey={({ id }) => id}
          onOpen={onOpen}
          onEnd={onEnd}
        />
      ) : isFiltered ? (
        <Empty title={list.next === null ? 'No sessions match this filter.' : 'No newer sessions match this filter.'}>
          <p className="flex gap-2">
            {list.next !== null && <Button onClick={onEnd}>Look further back</Button>}
            <Button onClick={() => onFilter({})}>Show all sessions</Button>
          </p>
        </Empty>
      ) : (
        <Empty title="No sessions yet.">
          <p>
            Each visit to your application appears here as it happens, with its recording, its requests and the rows
            they changed. Add these lines to record the first one.
          </p>
          {instance && <Code text={instance.snippets.posthog.code} copyLabel="Copy the analytics setup" />}
        </Empty>
      )}
    </>
  )
}

function toggled(filter: SessionFilter, name: 'live' | 'errors', on: boolean): SessionFilter {
  const { [name]: _before, ...rest } = filter
  return on ? { ...rest, [name]: true } : rest
}

function None() {
  return <span className="text-ink-2">–</span>
}
