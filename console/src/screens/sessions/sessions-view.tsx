import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Table as DataTable, Instance, SessionSummary } from '../../lib/api/schemas.ts'
import { Chip } from '../../ui/badge.tsx'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Filter, Select } from '../../ui/field.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import { Time } from '../../ui/time.tsx'
import { columnsFor } from './columns.tsx'
import { FilterChips } from './filter-chips.tsx'
import { SessionFilterDialog } from './filter-dialog.tsx'
import type { SessionFilter, SessionPages, SessionSort } from './queries.ts'

interface SessionsProps {
  /** Absent while the first page is on its way. */
  readonly list: SessionPages | undefined
  readonly filter: SessionFilter
  readonly instance: Instance | undefined
  /** Of the database, for the filter. */
  readonly tables: readonly DataTable[]
  /** The menu of saved views. */
  readonly views?: ReactNode
  /** Called when the filter is opened. */
  readonly onFilterOpen: () => void
  readonly onFilter: (filter: SessionFilter) => void
  readonly onOpen: (session: SessionSummary) => void
  readonly onEnd: () => void
}

const orders = [
  { value: 'newest', label: 'Newest first' },
  { value: 'longest', label: 'Longest first' },
  { value: 'errors', label: 'Most errors first' },
  { value: 'statement', label: 'Slowest statement first' },
] as const

/** What of the first sessions is said. */
const rankedBy: Readonly<Record<SessionSort, string>> = {
  longest: 'The longest',
  errors: 'Those with the most errors',
  statement: 'Those with the slowest statements',
}

/** Every visit, newest first or by another order, each with what it did. */
export function SessionsView(props: SessionsProps) {
  const { list, filter, instance, tables, views, onFilter, onFilterOpen, onOpen, onEnd } = props
  const [isFiltering, setFiltering] = useState(false)
  const { sort, ...narrowing } = filter
  const isFiltered = Object.keys(narrowing).length > 0
  return (
    <>
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1">
        <Filter
          label="Filter by person or path"
          className="max-wide:basis-full"
          value={narrowing.q ?? ''}
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
        <OrderChoice filter={filter} onFilter={onFilter} />
        {views}
        <OfRecordings />
      </div>
      <SessionFilterDialog
        key={JSON.stringify(filter)}
        open={isFiltering}
        filter={filter}
        tables={tables}
        onFilter={onFilter}
        onClose={() => setFiltering(false)}
      />
      {list && list.items.length > 0 && <RankedNote list={list} filter={filter} />}
      <ListTable
        label="Sessions"
        columns={columnsFor(filter)}
        rows={list?.items}
        bars={18}
        rowKey={({ id }) => id}
        onOpen={onOpen}
        onEnd={onEnd}
        none={
          isFiltered && list ? (
            <Empty
              title={list.next === null ? 'No sessions match this filter.' : 'No newer sessions match this filter.'}
            >
              <p className="flex gap-2">
                {list.next !== null && <Button onClick={onEnd}>Look further back</Button>}
                <Button onClick={() => onFilter(sort === undefined ? {} : { sort })}>Show all sessions</Button>
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
          )
        }
      />
    </>
  )
}

/** Where else recordings are. */
function OfRecordings() {
  return (
    <span className="ml-auto flex gap-1.5 max-narrow:hidden">
      <Link to="/sessions/file" className={buttonClasses('bare')}>
        Open a recording file…
      </Link>
      <Link to="/sessions/settings" className={buttonClasses('bare')}>
        Recording settings
      </Link>
    </span>
  )
}

function OrderChoice({ filter: { sort, ...narrowing }, onFilter }: Pick<SessionsProps, 'filter' | 'onFilter'>) {
  return (
    <Select
      label="Order"
      value={sort ?? 'newest'}
      options={orders}
      onChange={(order) => onFilter(order === 'newest' ? narrowing : { ...narrowing, sort: order })}
    />
  )
}

/** Among how many sessions the first of an order were chosen. */
function RankedNote({
  list: { ranked },
  filter: { sort, ...narrowing },
}: {
  list: SessionPages
  filter: SessionFilter
}) {
  if (sort === undefined || ranked === null) return null
  return (
    <p className="shrink-0 border-line border-b px-4 py-1.5 text-ink-2">
      {rankedBy[sort]} of the newest {ranked.sessions.toLocaleString('en')} sessions
      {Object.keys(narrowing).length > 0 && ' that may fit'}
      {ranked.since && (
        <>
          , since <Time at={ranked.since} />
        </>
      )}
    </p>
  )
}

function toggled(filter: SessionFilter, name: 'live' | 'errors', on: boolean): SessionFilter {
  const { [name]: _before, ...rest } = filter
  return on ? { ...rest, [name]: true } : rest
}
