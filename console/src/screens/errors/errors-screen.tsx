import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { instanceQuery } from '../../lib/api/queries.ts'
import type { IssueSummary } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { ErrorsView } from './errors-view.tsx'
import { errorRulesQuery, errorsQuery, loadMoreErrors } from './queries.ts'
import { RulesView } from './rules-view.tsx'
import type { ErrorsSearch } from './search.ts'

interface ErrorsScreenProps {
  readonly search: ErrorsSearch
  readonly onSearch: (search: ErrorsSearch) => void
  readonly onOpen: (issue: IssueSummary) => void
}

/** Every error as one line, and the rules by which exceptions become errors. */
export function ErrorsScreen({ search, onSearch, onOpen }: ErrorsScreenProps) {
  const { tab, ...filter } = search
  const queryClient = useQueryClient()
  const { data: list, error, refetch } = useQuery(errorsQuery(queryClient, filter))
  const { data: instance } = useQuery(instanceQuery)
  const { canChange } = useRights()
  const rules = useQuery({ ...errorRulesQuery, enabled: canChange })
  const errors =
    error && !list ? (
      <ErrorProblem error={error} onRetry={refetch} />
    ) : (
      <ErrorsView
        list={list}
        filter={filter}
        instance={instance}
        onFilter={onSearch}
        onOpen={onOpen}
        onEnd={() => inBackground(loadMoreErrors(queryClient, filter))}
      />
    )
  return (
    <Page title="Errors">
      {canChange ? (
        <Tabs<'errors' | 'rules'>
          label="Errors"
          value={tab ?? 'errors'}
          onChange={(name) => onSearch(name === 'rules' ? { ...filter, tab: name } : filter)}
          className="flex-1"
          tabs={[
            { name: 'errors', label: 'Errors', count: list?.counts.open, panel: errors },
            {
              name: 'rules',
              label: 'Rules',
              count: rules.data?.rules.length,
              panel: rules.error ? (
                <ErrorProblem error={rules.error} onRetry={rules.refetch} />
              ) : (
                <RulesView stored={rules.data} onOutdated={() => inBackground(rules.refetch())} />
              ),
            },
          ]}
        />
      ) : (
        errors
      )}
    </Page>
  )
}
