import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Secret } from '../../lib/api/schemas.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

interface DeleteSecretDialogProps {
  readonly open: boolean
  readonly secret: Secret
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** Says what is lost, and asks for the secret's name. */
export function DeleteSecretDialog({ open, secret, onDeleted, onClose }: DeleteSecretDialogProps) {
  const remove = useMutation({ mutationFn: () => api.deleteSecret(secret.id), onSuccess: onDeleted })
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Delete the secret?"
      action="Delete"
      isPending={remove.isPending}
      problem={remove.error ? errorText(remove.error) : undefined}
      onConfirm={() => remove.mutate()}
      typed={secret.name ?? secret.id}
    >
      Functions and jobs that read it will find nothing. Its value cannot be brought back.
    </ConfirmDialog>
  )
}
