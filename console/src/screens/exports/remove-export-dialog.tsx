import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { ScheduledExport } from '../../lib/api/schemas.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

interface RemoveExportDialogProps {
  /** Nothing is asked without it. */
  readonly item: ScheduledExport | undefined
  readonly onRemoved: () => void
  readonly onClose: () => void
}

/** Says what goes with an export, and asks. */
export function RemoveExportDialog({ item, onRemoved, onClose }: RemoveExportDialogProps) {
  const remove = useMutation({
    mutationFn: (id: string) => api.removeExport(id),
    onSuccess() {
      onRemoved()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open={item !== undefined}
      onClose={onClose}
      title="Remove the export?"
      action="Remove"
      isPending={remove.isPending}
      problem={remove.error ? errorText(remove.error) : undefined}
      onConfirm={() => item && remove.mutate(item.id)}
    >
      <strong>{item?.name}</strong> runs no more, and the list of its runs goes. What is in the bucket stays. Another
      export into this bucket would begin with everything again: to stop for a while, pause it.
    </ConfirmDialog>
  )
}
