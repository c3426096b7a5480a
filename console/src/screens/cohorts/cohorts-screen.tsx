import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { cohortsQuery } from '../../lib/api/queries.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { CohortsView } from './cohorts-view.tsx'
import { NewCohortDialog } from './new-cohort-dialog.tsx'

interface CohortsScreenProps {
  readonly onOpen: (id: number) => void
}

/** Every cohort. */
export function CohortsScreen({ onOpen }: CohortsScreenProps) {
  const queryClient = useQueryClient()
  const { data: cohorts, error, refetch } = useQuery(cohortsQuery)
  const { canChange } = useRights()
  const [isNew, setNew] = useState(false)
  return (
    <Page
      crumbs={[{ label: 'Flags', link: { to: '/flags' } }]}
      title="Cohorts"
      actions={
        canChange && (
          <Button look="primary" onClick={() => setNew(true)}>
            New cohort
          </Button>
        )
      }
    >
      {error && !cohorts ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <CohortsView cohorts={cohorts} onOpen={({ id }) => onOpen(id)} />
      )}
      {isNew && (
        <NewCohortDialog
          onClose={() => setNew(false)}
          onCreated={async (id) => {
            await queryClient.invalidateQueries({ queryKey: cohortsQuery.queryKey })
            onOpen(id)
          }}
        />
      )}
    </Page>
  )
}
