import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { SqlQuery } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import type { Draft } from './draft.ts'

interface SaveDialogProps {
  readonly open: boolean
  readonly draft: Draft
  readonly onSaved: (id: string) => void
  readonly onClose: () => void
}

/** Saves what is written for the team, under a name. */
export function SaveDialog({ open, draft, onSaved, onClose }: SaveDialogProps) {
  const save = useMutation({
    mutationFn: (name: string) => api.createSqlQuery({ name, ...draft }),
    onSuccess: ({ id }) => onSaved(id),
  })
  return (
    <Dialog open={open} onClose={onClose} title="Save the query">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(String(new FormData(event.currentTarget).get('name')))
        }}
      >
        <p className="text-ink-2">Owners and developers of the team find it under Saved.</p>
        <Field
          label="Name"
          name="name"
          required
          maxLength={200}
          autoFocus
          autoComplete="off"
          problem={save.error ? errorText(save.error) : undefined}
        />
        <Button type="submit" look="primary" size="large" className="justify-center" disabled={save.isPending}>
          Save
        </Button>
      </form>
    </Dialog>
  )
}

interface RemoveDialogProps {
  readonly query: SqlQuery | undefined
  readonly onRemoved: () => void
  readonly onClose: () => void
}

/** Asks before a query of the team is gone. */
export function RemoveDialog({ query, onRemoved, onClose }: RemoveDialogProps) {
  const remove = useMutation({ mutationFn: (id: string) => api.removeSqlQuery(id), onSuccess: onRemoved })
  return (
    <ConfirmDialog
      open={query !== undefined}
      onClose={onClose}
      title="Delete the query?"
      action="Delete"
      isPending={remove.isPending}
      problem={remove.error ? errorText(remove.error) : undefined}
      onConfirm={() => query && remove.mutate(query.id)}
    >
      “{query?.name}” is deleted for the whole team. It cannot be brought back.
    </ConfirmDialog>
  )
}
