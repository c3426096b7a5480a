import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { instanceQuery, tablesQuery } from '../../lib/api/queries.ts'
import type { Table } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { RequestDrawer } from '../../thread/request/request-drawer.tsx'
import { Chip } from '../../ui/badge.tsx'
import { buttonClasses } from '../../ui/button.tsx'
import { loadOlderRequests, requestSeriesQuery, requestsQuery } from './queries.ts'
import { RequestsView } from './requests-view.tsx'
import type { RequestsSearch } from './search.ts'

interface RequestsScreenProps {
  readonly search: RequestsSearch
  readonly onSearch: (search: RequestsSearch, how?: 'replace' | 'push') => void
}

const noTables: readonly Table[] = []

/** Every request as it ends, or a list that stands still; one of them open beside it. */
export function RequestsScreen({ search, onSearch }: RequestsScreenProps) {
  const { open, live, chart, ...filter } = search
  const queryClient = useQueryClient()
  const isLive = live !== 'off'
  const { data: list, error, refetch } = useQuery(requestsQuery(queryClient, filter, isLive))
  const { data: series } = useQuery(requestSeriesQuery(filter, isLive))
  const { data: instance } = useQuery(instanceQuery)
  const [isFiltering, setFiltering] = useState(false)
  const { canChange } = useRights()
  const { data: tables } = useQuery({ ...tablesQuery, enabled: isFiltering && canChange })
  const { open: _open, ...closed } = search
  const set = (next: Partial<RequestsSearch>) => onSearch({ ...search, ...next })
  return (
    <Page
      title="Requests"
      actions={
        <>
          <Link to="/requests/slow" className={buttonClasses('bare')}>
            Slow
          </Link>
          {canChange && (
            <>
              <Link to="/requests/logs" className={buttonClasses('bare')}>
                Logs
              </Link>
              <Link to="/requests/why" className={buttonClasses('bare')}>
                Why?
              </Link>
            </>
          )}
          <Chip
            on={isLive}
            onToggle={(on) => {
              const { live: _live, ...rest } = search
              onSearch(on ? rest : { ...rest, live: 'off' })
            }}
          >
            Live
          </Chip>
        </>
      }
    >
      <RequestsView
        list={list}
        series={series}
        chart={chart ?? 'chart'}
        filter={filter}
        instance={instance}
        tables={tables ?? noTables}
        openId={open}
        problem={error && !list && <ErrorProblem error={error} onRetry={refetch} />}
        onFilterOpen={() => setFiltering(true)}
        onChart={(look) => {
          const { chart: _chart, ...rest } = search
          onSearch(look === 'table' ? { ...rest, chart: look } : rest)
        }}
        onFilter={(next) => onSearch({ ...next, ...(live && { live }), ...(chart && { chart }) })}
        // Going back goes back to the time before.
        onRange={(from, to) => {
          const { last: _last, ...rest } = search
          onSearch({ ...rest, from, to }, 'push')
        }}
        onOpen={(request) => set({ open: request.id })}
        // What is there stays; reaching the end again asks again.
        onEnd={() => inBackground(loadOlderRequests(queryClient, filter))}
      />
      <RequestDrawer id={open} onClose={() => onSearch(closed)} />
    </Page>
  )
}
