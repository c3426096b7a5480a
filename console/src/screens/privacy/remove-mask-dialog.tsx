import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Mask } from '../../lib/api/schemas.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

interface RemoveMaskDialogProps {
  /** Nothing is asked without it. */
  readonly mask: Mask | undefined
  readonly onRemoved: () => void
  readonly onClose: () => void
}

/** Says what removing a mask does, and asks. */
export function RemoveMaskDialog({ mask, onRemoved, onClose }: RemoveMaskDialogProps) {
  const remove = useMutation({
    mutationFn: (id: string) => api.removeMask(id),
    onSuccess() {
      onRemoved()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open={mask !== undefined}
      onClose={onClose}
      title="Remove the mask?"
      action="Remove"
      isPending={remove.isPending}
      problem={remove.error ? errorText(remove.error) : undefined}
      onConfirm={() => mask && remove.mutate(mask.id)}
    >
      What is stored of <span className="mono wrap-anywhere">{mask?.label}</span> from now on is not masked. The past
      stays masked: its values are gone.
    </ConfirmDialog>
  )
}
