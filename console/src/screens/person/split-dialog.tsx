import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { PersonDetail } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { personName } from '../../lib/person.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Count } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'

interface SplitDialogProps {
  readonly detail: PersonDetail
  readonly onClose: () => void
}

/** Chooses the ids that become another person, and says what goes with them. */
export function SplitDialog({ detail: { person, ids, idCount }, onClose }: SplitDialogProps) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const split = useMutation({
    mutationFn: () => api.splitPerson(person.id, chosen),
    onSuccess({ personId }) {
      toast.add({
        title: chosen.length === 1 ? 'The id is a person of its own.' : 'The ids are a person of their own.',
      })
      onClose()
      inBackground(queryClient.invalidateQueries({ queryKey: ['person'] }))
      inBackground(navigate({ to: '/people/$id', params: { id: personId } }))
    },
  })
  const events = ids.filter(({ id }) => chosen.includes(id)).reduce((sum, each) => sum + each.events, 0)
  return (
    <Dialog open onClose={onClose} title={`Separate ids from ${personName(person)}`}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          split.mutate()
        }}
      >
        <p>
          The ids that you choose become a new person, with all that was done under them. What is known of{' '}
          {personName(person)} stays here, and no event joins the two again.
        </p>
        <ul className="max-h-64 overflow-y-auto border-line border-y">
          {ids.map(({ id, events: count }) => (
            <li key={id} className="border-line border-b last:border-b-0">
              <label className="flex min-w-0 items-center gap-2 py-1.5">
                <input
                  type="checkbox"
                  checked={chosen.includes(id)}
                  onChange={({ target }) =>
                    setChosen(target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
                  }
                />
                <span className="mono min-w-0 flex-1 truncate text-sm" title={id}>
                  {id}
                </span>
                <span className="text-ink-2">
                  <Count value={count} /> events
                </span>
              </label>
            </li>
          ))}
        </ul>
        <p className="text-ink-2">
          {chosen.length === 0 ? (
            'Nothing is chosen yet.'
          ) : chosen.length >= idCount ? (
            'One id must stay.'
          ) : (
            <>
              <Count value={events} /> events go with {chosen.length === 1 ? 'this id' : `these ${chosen.length} ids`}.
            </>
          )}
        </p>
        {split.error && (
          <p role="alert" className="text-danger">
            {errorText(split.error)}
          </p>
        )}
        <Button
          type="submit"
          look="primary"
          size="large"
          className="justify-center"
          disabled={chosen.length === 0 || chosen.length >= idCount || split.isPending}
        >
          Separate
        </Button>
      </form>
    </Dialog>
  )
}
