import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Page } from '../../frame/page.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { cohortsQuery } from '../../lib/api/queries.ts'
import type { Cohort } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FiltersForm } from './filters-form.tsx'
import { MembersView } from './members-view.tsx'

interface CohortScreenProps {
  readonly cohort: Cohort
  readonly onDeleted: () => void
}

/** One cohort: what makes it, and who is in it. */
export function CohortScreen({ cohort, onDeleted }: CohortScreenProps) {
  const queryClient = useQueryClient()
  const { canChange } = useRights()
  const [isDeleting, setDeleting] = useState(false)
  const { id, name, filters, members } = cohort
  const remove = useMutation({
    mutationFn: () => api.deleteCohort(id),
    async onSuccess() {
      onDeleted()
      await queryClient.invalidateQueries({ queryKey: cohortsQuery.queryKey })
    },
  })
  return (
    <Page
      crumbs={[
        { label: 'Flags', link: { to: '/flags' } },
        { label: 'Cohorts', link: { to: '/cohorts' } },
      ]}
      title={name}
      facts={
        <>
          <span>number {id}</span>
          <span>{filters === null ? `a list of ${members}` : 'by properties'}</span>
        </>
      }
      actions={
        canChange && (
          <Button look="danger" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        )
      }
    >
      {filters !== null ? (
        <FiltersForm cohort={cohort} canChange={canChange} />
      ) : canChange ? (
        <MembersView cohort={cohort} />
      ) : (
        <Empty title="Persons are for owners and developers.">
          <p>The list holds {members}.</p>
        </Empty>
      )}
      <ConfirmDialog
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title={`Delete ${name}?`}
        action="Delete the cohort"
        isPending={remove.isPending}
        problem={remove.error ? errorText(remove.error) : undefined}
        onConfirm={remove.mutate}
      >
        {filters === null
          ? `Its list of ${members} persons goes with it.`
          : 'No person goes with it: they are in it by their properties.'}
      </ConfirmDialog>
    </Page>
  )
}
