import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { experimentsQuery } from '../../lib/api/queries.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { ExperimentsView } from './experiments-view.tsx'
import { NewExperimentDialog } from './new-experiment-dialog.tsx'

interface ExperimentsScreenProps {
  readonly onOpen: (id: string) => void
}

/** Every experiment. */
export function ExperimentsScreen({ onOpen }: ExperimentsScreenProps) {
  const queryClient = useQueryClient()
  const { data: experiments, error, refetch } = useQuery(experimentsQuery)
  const { canChange } = useRights()
  const [isNew, setNew] = useState(false)
  return (
    <Page
      title="Experiments"
      actions={
        canChange && (
          <Button look="primary" onClick={() => setNew(true)}>
            New experiment
          </Button>
        )
      }
    >
      {error && !experiments ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <ExperimentsView experiments={experiments} onOpen={({ id }) => onOpen(id)} />
      )}
      {isNew && (
        <NewExperimentDialog
          onClose={() => setNew(false)}
          onCreated={(id) => {
            inBackground(queryClient.invalidateQueries({ queryKey: experimentsQuery.queryKey }))
            onOpen(id)
          }}
        />
      )}
    </Page>
  )
}
