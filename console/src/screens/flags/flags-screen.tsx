import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { flagsQuery } from '../../lib/api/queries.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { FlagsView } from './flags-view.tsx'
import { NewFlagDialog } from './new-flag-dialog.tsx'

interface FlagsScreenProps {
  readonly text: string
  readonly onText: (text: string) => void
  readonly onOpen: (key: string) => void
}

/** Every feature flag. */
export function FlagsScreen({ text, onText, onOpen }: FlagsScreenProps) {
  const queryClient = useQueryClient()
  const { data: flags, error, refetch } = useQuery(flagsQuery)
  const { canChange } = useRights()
  const [isNew, setNew] = useState(false)
  return (
    <Page
      title="Flags"
      actions={
        <>
          <Link to="/cohorts" className="px-2 text-ink-2 hover:text-ink">
            Cohorts
          </Link>
          {canChange && (
            <Button look="primary" onClick={() => setNew(true)}>
              New flag
            </Button>
          )}
        </>
      }
    >
      {error && !flags ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <FlagsView flags={flags} text={text} onText={onText} onOpen={({ key }) => onOpen(key)} />
      )}
      <NewFlagDialog
        open={isNew}
        onClose={() => setNew(false)}
        onCreated={(key) => {
          inBackground(queryClient.invalidateQueries({ queryKey: flagsQuery.queryKey }))
          onOpen(key)
        }}
      />
    </Page>
  )
}
