import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'

/** What is done to several users. */
export type BulkAction = 'ban' | 'sign out' | 'delete'

interface BulkDialogProps {
  readonly action: BulkAction
  /** Ids of the users. */
  readonly ids: readonly string[]
  /** Called when it is over, with those that it failed for. */
  readonly onDone: (failed: readonly string[]) => void
  readonly onClose: () => void
}

const foreverHours = 876_000

const actions: Readonly<
  Record<
    BulkAction,
    { readonly title: string; readonly about: string; readonly perform: (id: string) => Promise<unknown> }
  >
> = {
  ban: {
    title: 'Ban users',
    about: 'They do not sign in any more, until the ban is lifted.',
    perform: (id) => api.banUser(id, foreverHours),
  },
  'sign out': {
    title: 'Sign users out',
    about: 'All of their sessions end. Tokens that were given out are good until they expire.',
    perform: (id) => api.signOutUser(id),
  },
  delete: {
    title: 'Delete users',
    about: 'The accounts go, and rows that a foreign key deletes along. It cannot be undone.',
    perform: (id) => api.deleteUser(id),
  },
}

/** Says what is done to how many, asks for the number, and does it one after another: each is in the audit log. */
export function BulkDialog({ action, ids, onDone, onClose }: BulkDialogProps) {
  const { title, about, perform } = actions[action]
  const [typed, setTyped] = useState('')
  const [done, setDone] = useState(0)
  const run = useMutation({
    async mutationFn() {
      const failed: string[] = []
      let problem: unknown
      for (const id of ids) {
        await perform(id).catch((error: unknown) => {
          failed.push(id)
          problem = error
        })
        setDone((count) => count + 1)
      }
      return { failed, problem }
    },
    onSuccess: ({ failed }) => failed.length === 0 && onDone([]),
  })
  const count = String(ids.length)
  const failed = run.data?.failed ?? []
  return (
    <Dialog open onClose={onClose} title={title}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          run.mutate()
        }}
      >
        <p>
          {count} {ids.length === 1 ? 'user' : 'users'}. {about}
        </p>
        {run.isPending || run.data ? (
          <div role="status" className="grid gap-2">
            <progress aria-label="Progress" max={ids.length} value={done} className="w-full" />
            {failed.length > 0 && (
              <>
                <p className="text-danger">
                  It failed for {failed.length}: {errorText(asError(run.data?.problem))}
                </p>
                <Button onClick={() => onDone(failed)}>Keep these selected</Button>
              </>
            )}
          </div>
        ) : (
          <>
            <Field
              label={`Type ${count} to confirm`}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              inputMode="numeric"
              autoComplete="off"
            />
            <Button type="submit" look="danger" size="large" className="justify-center" disabled={typed !== count}>
              {title}
            </Button>
          </>
        )}
      </form>
    </Dialog>
  )
}

const asError = (problem: unknown): Error => (problem instanceof Error ? problem : new Error(String(problem)))
