import { type ReactNode, useState } from 'react'
import type { Table as DataTable, Instance, RequestSeries, RequestSummary } from '../../lib/api/schemas.ts'
import { FilterChips, type FilterWords } from '../../lib/filters/filter-chips.tsx'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { Chip } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty, NoMatch } from '../../ui/empty.tsx'
import { Filter, Select } from '../../ui/field.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import { formatClock } from '../../ui/time-text.ts'
import { RequestFilterDialog } from './filter-dialog.tsx'
import { requestColumns } from './request-columns.tsx'
import { RequestNumbers } from './request-numbers.tsx'
import { isNarrow, type Last, lastOf, lasts, type RequestFilter } from './search.ts'

interface RequestsProps {
  /** Absent while the first page is on its way. */
  readonly list: GrowingList<RequestSummary> | undefined
  /** Absent while it is on its way. */
  readonly series: RequestSeries | undefined
  readonly chart: 'chart' | 'table'
  /** Of the database, for the filter. */
  readonly tables: readonly DataTable[]
  /** Called when the filter is opened. */
  readonly onFilterOpen: () => void
  readonly onChart: (look: 'chart' | 'table') => void
  readonly filter: RequestFilter
  readonly instance: Instance | undefined
  readonly openId: string | undefined
  /** Shown in place of the list, under its filter. */
  readonly problem?: ReactNode
  readonly onFilter: (filter: RequestFilter) => void
  /** A time was chosen in the chart. */
  readonly onRange: (from: string, to: string) => void
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

const times = [
  ...Object.entries(lasts).map(([value, { label }]) => ({ value: value as Last | 'chosen', label })),
  { value: 'chosen' as const, label: 'Chosen time' },
]

const words: FilterWords<RequestFilter> = {
  from: (value) => `since ${formatExactly(value)}`,
  to: (value) => `until ${formatExactly(value)}`,
  session: () => 'one session',
  person: () => 'one person',
  requestMs: (value) => `took ${value} ms or more`,
  statementMs: (value) => `a statement of ${value} ms or more`,
  table: (value) => `changed ${value}`,
  route: (value) => `route ${value}`,
  shape: (value) => (value === '' ? 'without parameters' : `parameters ${value.replaceAll(',', ', ')}`),
  statement: () => 'one statement',
  empty: () => 'answered no rows',
}

/** Every call to the services, newest first, over its numbers; what is typed or chosen narrows both. */
export function RequestsView(props: RequestsProps) {
  const { list, series, chart, openId, problem, onOpen, onEnd, onChart, onRange } = props
  return (
    <>
      <FilterBar {...props} />
      {(!problem || series) && <RequestNumbers series={series} look={chart} onLook={onChart} onRange={onRange} />}
      {problem ?? null}
      {!problem && (
        <ListTable
          label="Requests"
          columns={requestColumns}
          rows={list?.items}
          bars={14}
          rowKey={({ id }) => id}
          onOpen={onOpen}
          openKey={openId}
          onEnd={onEnd}
          none={<NoRequests {...props} />}
        />
      )}
    </>
  )
}

function FilterBar({ filter, instance, tables, onFilter, onFilterOpen }: RequestsProps) {
  const [isFiltering, setFiltering] = useState(false)
  const set = (name: keyof RequestFilter, value: string) => onFilter(changed(filter, name, value))
  const services = [anyService, ...(instance?.services ?? []).map((name) => ({ value: name, label: name }))]
  const last = lastOf(filter)
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1.5">
      <Filter
        label="Filter by path, person or id"
        value={filter.q ?? ''}
        onChange={(value) => set('q', value)}
        className="min-w-40 max-sheet:basis-full"
      />
      <FilterChips filter={filter} words={words} onFilter={onFilter} />
      {statuses.map(({ value, label }) => (
        <Chip key={value} on={filter.status === value} onToggle={(on) => set('status', on ? value : '')}>
          {label}
        </Chip>
      ))}
      {filter.status !== undefined && !statuses.some(({ value }) => value === filter.status) && (
        <Chip on onToggle={() => set('status', '')}>
          {filter.status}
        </Chip>
      )}
      <Select
        label="Time"
        value={last}
        options={last === 'chosen' ? times : times.filter(({ value }) => value !== 'chosen')}
        onChange={(value) => {
          const { from: _from, to: _to, last: _last, ...rest } = filter
          if (value !== 'chosen') onFilter({ ...rest, last: value })
        }}
      />
      <Select label="Method" value={filter.method ?? ''} options={methods} onChange={(value) => set('method', value)} />
      <Select
        label="Service"
        value={filter.service ?? ''}
        options={services}
        onChange={(value) => set('service', value)}
      />
      <Button
        size="small"
        onClick={() => {
          onFilterOpen()
          setFiltering(true)
        }}
      >
        Filter…
      </Button>
      <RequestFilterDialog
        key={JSON.stringify(filter)}
        open={isFiltering}
        filter={filter}
        tables={tables}
        onFilter={onFilter}
        onClose={() => setFiltering(false)}
      />
    </div>
  )
}

function NoRequests({ filter, instance, onFilter }: RequestsProps): ReactNode {
  if (isNarrow(filter))
    return <NoMatch title="No requests match this filter." all="Show all requests" onAll={() => onFilter({})} />
  const last = lastOf(filter)
  if (last !== 'all' && last !== '24h')
    return (
      <NoMatch
        title="No requests in this time."
        all="Look at all that is kept"
        onAll={() => onFilter({ last: 'all' })}
      />
    )
  return (
    <Empty title={last === 'all' ? 'No requests yet.' : 'No requests in the last 24 hours.'}>
      <p>
        Each request of your application appears here as soon as it ends, with its status, its duration, its SQL and the
        rows it changed.
      </p>
      {last !== 'all' && (
        <p>
          <Button onClick={() => onFilter({ last: 'all' })}>Look at all that is kept</Button>
        </p>
      )}
      {instance && <Code text={instance.snippets.supabase.code} copyLabel="Copy the client setup" />}
    </Empty>
  )
}

function changed(filter: RequestFilter, name: keyof RequestFilter, value: string): RequestFilter {
  const { [name]: _before, ...rest } = filter
  return value === '' ? rest : { ...rest, [name]: value }
}

const formatExactly = (at: string): string => formatClock(new Date(at), new Date())
