import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Advice } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { Button } from '../../ui/button.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'
import { AdvisorView } from './advisor-view.tsx'
import { IgnoreDialog } from './ignore-dialog.tsx'
import { adviceQuery } from './queries.ts'
import type { AdvisorSearch } from './search.ts'

interface AdvisorScreenProps {
  readonly search: AdvisorSearch
  readonly onSearch: (search: AdvisorSearch) => void
}

/** Advice on the application's database; what is not taken is ignored for a reason. */
export function AdvisorScreen({ search, onSearch }: AdvisorScreenProps) {
  const queryClient = useQueryClient()
  const { data: advice, error, isFetching, refetch } = useQuery(adviceQuery)
  const [ignoring, setIgnoring] = useState<Advice>()
  const toast = useToast()
  const refresh = () => inBackground(queryClient.invalidateQueries({ queryKey: adviceQuery.queryKey }))
  const heed = useMutation({
    mutationFn: ({ name, object }: Advice) => api.unignoreAdvice({ name, object }),
    onSuccess: refresh,
    onError: (problem) => toast.add({ title: errorText(problem) }),
  })
  return (
    <Page
      title="Advisor"
      actions={
        <Button disabled={isFetching} onClick={refresh}>
          Look again
        </Button>
      }
    >
      {error && !advice ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : advice === undefined ? (
        <SkeletonRows />
      ) : (
        <AdvisorView
          advice={advice}
          search={search}
          onSearch={onSearch}
          onIgnore={setIgnoring}
          onHeed={(each) => heed.mutate(each)}
        />
      )}
      {ignoring && <IgnoreDialog advice={ignoring} onIgnored={refresh} onClose={() => setIgnoring(undefined)} />}
    </Page>
  )
}
