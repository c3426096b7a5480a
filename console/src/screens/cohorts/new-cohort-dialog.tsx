import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'

interface NewCohortDialogProps {
  readonly onClose: () => void
  readonly onCreated: (id: number) => Promise<void>
}

/** Asks for the name of a new cohort, and how persons come into it; that stays. */
export function NewCohortDialog({ onClose, onCreated }: NewCohortDialogProps) {
  const [kind, setKind] = useState<'filters' | 'list'>('filters')
  const create = useMutation({
    mutationFn: (form: FormData) =>
      api.createCohort({
        name: String(form.get('name')),
        // OR of nothing is empty: a new cohort holds no one until it has a filter.
        filters: kind === 'list' ? null : { type: 'OR', values: [] },
      }),
    async onSuccess({ id }) {
      onClose()
      await onCreated(id)
    },
  })
  return (
    <Dialog open onClose={onClose} title="New cohort">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(new FormData(event.currentTarget))
        }}
      >
        <Field
          label="Name"
          name="name"
          maxLength={200}
          required
          autoFocus
          autoComplete="off"
          problem={create.error ? errorText(create.error) : undefined}
        />
        <div className="flex items-center justify-between gap-2">
          <span>Persons come into it</span>
          <Select
            label="Persons come into it"
            value={kind}
            options={[
              { value: 'filters', label: 'by their properties' },
              { value: 'list', label: 'by a list of distinct ids' },
            ]}
            onChange={setKind}
          />
        </div>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={create.isPending}>
            Create the cohort
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
