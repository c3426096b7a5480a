import { Link } from '@tanstack/react-router'
import { Sparkline } from '../../charts/sparkline.tsx'
import type { Instance, IssueSummary } from '../../lib/api/schemas.ts'
import { IssueState } from '../../thread/issue-state.tsx'
import { Chip } from '../../ui/badge.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty, NoMatch } from '../../ui/empty.tsx'
import { Filter, Select } from '../../ui/field.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import type { TableColumn } from '../../ui/table.tsx'
import { Count, Time } from '../../ui/time.tsx'
import type { ErrorList } from './queries.ts'
import { type ErrorsFilter, ranges, sorts } from './search.ts'

interface ErrorsProps {
  /** Absent while the first page is on its way. */
  readonly list: ErrorList | undefined
  readonly filter: ErrorsFilter
  readonly instance: Instance | undefined
  readonly onFilter: (filter: ErrorsFilter) => void
  readonly onOpen: (issue: IssueSummary) => void
  readonly onEnd: () => void
}

const rangeText = { '24h': 'last day', '7d': 'last week', '30d': 'last 30 days' } as const
const sortText = {
  'last seen': 'Last seen first',
  'first seen': 'Newest first',
  events: 'Most events first',
  people: 'Most people first',
} as const

const columnsOf = (range: (typeof ranges)[number]): readonly TableColumn<IssueSummary>[] => [
  {
    id: 'title',
    title: 'Error',
    cell: ({ id, title, culprit }) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <Link to="/errors/$id" params={{ id }} title={title} className="truncate font-medium hover:underline">
          {title}
        </Link>
        <span className="mono truncate text-ink-2 text-sm max-sheet:hidden" title={culprit}>
          {culprit}
        </span>
      </span>
    ),
  },
  {
    id: 'source',
    title: 'Source',
    width: 84,
    from: 'wide',
    cell: ({ source }) => <span className="text-ink-2">{source}</span>,
  },
  {
    id: 'parts',
    title: range === '24h' ? 'Last day' : range === '7d' ? 'Last week' : '30 days',
    width: 84,
    from: 'sheet',
    cell: ({ title, parts, events }) => (
      <Sparkline
        parts={parts.map((calls) => ({ calls, errors: 0 }))}
        label={`${events} of ${title} in the ${rangeText[range]}`}
      />
    ),
  },
  {
    id: 'events',
    title: 'Events',
    width: 72,
    align: 'right',
    cell: ({ events }) => <Count value={events} />,
  },
  {
    id: 'people',
    title: 'People',
    width: 68,
    align: 'right',
    from: 'narrow',
    cell: ({ people }) => <Count value={people} />,
  },
  {
    id: 'first',
    title: 'First seen',
    width: 96,
    from: 'wide',
    cell: ({ firstSeenAt }) => <Time at={firstSeenAt} className="text-ink-2" />,
  },
  { id: 'last', title: 'Last seen', width: 92, from: 'narrow', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
  {
    id: 'release',
    title: 'Release',
    width: 108,
    from: 'wide',
    cell: ({ lastRelease }) =>
      lastRelease ? (
        <span className="mono text-sm" title={lastRelease}>
          {lastRelease}
        </span>
      ) : (
        <span className="text-ink-3">–</span>
      ),
  },
  {
    id: 'state',
    title: 'State',
    width: 96,
    from: 'sheet',
    cell: (issue) => <IssueState issue={issue} />,
  },
]

/** The errors that fit, each with what it comes to in the range. */
export function ErrorsView({ list, filter, instance, onFilter, onOpen, onEnd }: ErrorsProps) {
  const { range = '24h' } = filter
  return (
    <>
      <ErrorsFilterBar list={list} filter={filter} onFilter={onFilter} />
      <ListTable
        label="Errors"
        columns={columnsOf(range)}
        rows={list?.items}
        bars={14}
        rowKey={({ id }) => id}
        onOpen={onOpen}
        onEnd={onEnd}
        none={
          isNarrowed(filter) || (list && list.counts.resolved + list.counts.ignored > 0) ? (
            <NoMatch
              title={isNarrowed(filter) ? 'No errors match this filter.' : 'No open errors.'}
              all="Show all errors"
              onAll={() => onFilter({ state: 'all' })}
            />
          ) : (
            <Empty title="No errors yet.">
              <p>
                What browsers and functions throw, and requests that fail by the server’s fault, appear here in groups:
                how often, for how many people, with the session and the SQL behind each.
              </p>
              {instance && <Code text={instance.snippets.posthog.code} copyLabel="Copy the client setup" />}
            </Empty>
          )
        }
      />
    </>
  )
}

/** Whether the filter leaves anything out, but for the state that is shown by itself. */
const isNarrowed = ({ sort: _sort, range: _range, state = 'open', ...rest }: ErrorsFilter): boolean =>
  state === 'resolved' || state === 'ignored' || Object.keys(rest).length > 0

const sources = ['browser', 'server', 'function', 'rest', 'auth', 'storage']
const sourceOptions = [{ value: '', label: 'Any source' }, ...sources.map((value) => ({ value, label: value }))]
const sortOptions = sorts.map((value) => ({ value, label: sortText[value] }))

function ErrorsFilterBar({ list, filter, onFilter }: Pick<ErrorsProps, 'list' | 'filter' | 'onFilter'>) {
  const set = (name: keyof ErrorsFilter, value: string | undefined) => onFilter(changed(filter, name, value))
  const { state = 'open', range = '24h', sort = 'last seen' } = filter
  const releases = [
    { value: '', label: 'Any release' },
    ...(list?.releases ?? []).map((value) => ({ value, label: value })),
  ]
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1.5">
      <Filter
        label="Filter by error or place"
        value={filter.q ?? ''}
        onChange={(value) => set('q', value)}
        className="min-w-40 max-sheet:basis-full"
      />
      {(['open', 'resolved', 'ignored'] as const).map((name) => (
        <Chip key={name} on={state === name} onToggle={(on) => set('state', on ? stateOrNone(name) : 'all')}>
          {name}
          {list && <span className="tabular ml-1 text-ink-2">{list.counts[name]}</span>}
        </Chip>
      ))}
      <Chip on={filter.assigned === 'me'} onToggle={(on) => set('assigned', on ? 'me' : '')}>
        mine
      </Chip>
      {ranges.map((name) => (
        <Chip key={name} on={range === name} onToggle={(on) => on && set('range', name === '24h' ? '' : name)}>
          {name}
        </Chip>
      ))}
      <Select
        label="Source"
        value={filter.source ?? ''}
        options={sourceOptions}
        onChange={(value) => set('source', value)}
      />
      {releases.length > 1 && (
        <Select
          label="Release"
          value={filter.release ?? ''}
          options={releases}
          onChange={(value) => set('release', value)}
          className="max-w-40"
        />
      )}
      <Select
        label="Order"
        value={sort}
        options={sortOptions}
        onChange={(value) => set('sort', value === 'last seen' ? '' : value)}
      />
    </div>
  )
}

/** What is shown by itself needs no place in the address. */
const stateOrNone = (state: string): string => (state === 'open' ? '' : state)

function changed(filter: ErrorsFilter, name: keyof ErrorsFilter, value: string | undefined): ErrorsFilter {
  const { [name]: _before, ...rest } = filter
  return value ? { ...rest, [name]: value } : rest
}
