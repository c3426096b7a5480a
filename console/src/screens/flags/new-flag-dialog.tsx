import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'

interface NewFlagDialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly onCreated: (key: string) => void
}

/** Asks for the key of a new flag, which is off for all until it has a condition. */
export function NewFlagDialog({ open, onClose, onCreated }: NewFlagDialogProps) {
  const create = useMutation({
    mutationFn: (form: FormData) =>
      api.createFlag({
        ...{ key: String(form.get('key')), description: String(form.get('description')), active: true },
        ...{ filters: { groups: [] }, keepsBucket: false, bucketing: 'distinct_id', runtime: 'all' },
        ...{ contexts: [], earlyAccess: null },
      }),
    onSuccess({ key }) {
      onClose()
      onCreated(key)
    },
  })
  return (
    <Dialog open={open} onClose={onClose} title="New flag">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(new FormData(event.currentTarget))
        }}
      >
        <Field
          label="Key"
          name="key"
          hint="Its name in code: letters, digits and - _ . : /. It stays."
          pattern="[A-Za-z0-9_.:\/\-]+"
          maxLength={200}
          required
          autoFocus
          autoComplete="off"
          problem={create.error ? errorText(create.error) : undefined}
        />
        <Field label="Description" name="description" maxLength={4000} autoComplete="off" />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={create.isPending}>
            Create the flag
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
