import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { inBackground } from '../../lib/in-background.ts'
import { ActionDrawer } from './action-drawer.tsx'
import { AuditView } from './audit-view.tsx'
import { actionNamesQuery, actionsQuery } from './queries.ts'
import type { AuditSearch } from './search.ts'

interface AuditScreenProps {
  readonly search: AuditSearch
  readonly onSearch: (search: AuditSearch) => void
}

/** The audit log, which owners read; one entry open beside it. */
export function AuditScreen({ search, onSearch }: AuditScreenProps) {
  const { open, ...filter } = search
  const { query, loadMore } = actionsQuery(useQueryClient(), filter)
  const { data: list, error, refetch } = useQuery(query)
  const { data: names } = useQuery(actionNamesQuery)
  return (
    <Page title="Audit log">
      {error && !list ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <AuditView
          list={list}
          filter={filter}
          operators={names?.operators ?? []}
          actions={names?.actions ?? []}
          openId={open}
          onFilter={onSearch}
          onOpen={({ id }) => onSearch({ ...filter, open: id })}
          onEnd={() => inBackground(loadMore())}
        />
      )}
      <ActionDrawer action={list?.items.find(({ id }) => id === open)} onClose={() => onSearch(filter)} />
    </Page>
  )
}
