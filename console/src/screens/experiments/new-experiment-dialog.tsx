import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { flagsQuery, offeredEventsQuery } from '../../lib/api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'

interface NewExperimentDialogProps {
  readonly onClose: () => void
  readonly onCreated: (id: string) => void
}

/** A week: most people decide within it. */
const windowHours = 168

/** Asks what is tried and what is counted; more is said of the draft. */
export function NewExperimentDialog({ onClose, onCreated }: NewExperimentDialogProps) {
  const { data: flags } = useQuery(flagsQuery)
  const { data: events = [] } = useQuery(offeredEventsQuery)
  const keys = (flags ?? []).filter(({ variants }) => variants.length > 1).map(({ key }) => key)
  const [chosen, setChosen] = useState('')
  const flagKey = chosen === '' ? (keys[0] ?? '') : chosen
  const create = useMutation({
    mutationFn(form: FormData) {
      const event = String(form.get('event'))
      const source = { type: 'events', event, property: null } as const
      const metrics = [{ name: event, kind: 'conversion', windowHours, source } as const]
      return api.createExperiment({ name: String(form.get('name')), hypothesis: '', flagKey, metrics })
    },
    onSuccess({ id }) {
      onClose()
      onCreated(id)
    },
  })
  return (
    <Dialog open onClose={onClose} title="New experiment">
      {flags !== undefined && keys.length === 0 ? (
        <p>
          No flag has two variants yet. Add them to one under{' '}
          <Link to="/flags" className="underline">
            Flags
          </Link>{' '}
          first.
        </p>
      ) : (
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            create.mutate(new FormData(event.currentTarget))
          }}
        >
          <Field label="Name" name="name" maxLength={200} required autoFocus autoComplete="off" />
          <div className="flex items-center justify-between gap-2">
            <span>Flag</span>
            <Select
              label="Flag"
              value={flagKey}
              options={keys.map((key) => ({ value: key, label: key }))}
              onChange={setChosen}
            />
          </div>
          <Field
            label="Event that counts"
            name="event"
            offered={events}
            hint="What people should do, as posthog.capture names it. More metrics, and rows of tables, come with the draft."
            maxLength={200}
            required
            autoComplete="off"
            problem={create.error ? errorText(create.error) : undefined}
          />
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="primary" disabled={create.isPending || flagKey === ''}>
              Create the experiment
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
