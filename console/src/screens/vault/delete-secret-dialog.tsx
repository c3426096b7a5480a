import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Secret } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'

interface DeleteSecretDialogProps {
  readonly open: boolean
  readonly secret: Secret
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** Says what is lost, and asks for the secret's name. */
export function DeleteSecretDialog({ open, secret, onDeleted, onClose }: DeleteSecretDialogProps) {
  const [typed, setTyped] = useState('')
  const remove = useMutation({ mutationFn: () => api.deleteSecret(secret.id), onSuccess: onDeleted })
  const name = secret.name ?? secret.id
  return (
    <Dialog open={open} onClose={onClose} title="Delete the secret">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          remove.mutate()
        }}
      >
        <p>Functions and jobs that read it will find nothing. Its value cannot be brought back.</p>
        <Field
          label={`Type ${name} to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoFocus
          autoComplete="off"
          problem={remove.error ? errorText(remove.error) : undefined}
        />
        <Button
          type="submit"
          look="danger"
          size="large"
          className="justify-center"
          disabled={typed !== name || remove.isPending}
        >
          Delete
        </Button>
      </form>
    </Dialog>
  )
}
