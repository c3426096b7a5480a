import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Mask } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

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
    <Dialog open={mask !== undefined} onClose={onClose} title="Remove the mask">
      <div className="grid gap-4">
        <p>
          What is stored of <span className="mono wrap-anywhere">{mask?.label}</span> from now on is not masked. The
          past stays masked: its values are gone.
        </p>
        {remove.error && (
          <p role="alert" className="text-danger">
            {errorText(remove.error)}
          </p>
        )}
        <Button
          look="danger"
          size="large"
          className="justify-center"
          disabled={remove.isPending}
          onClick={() => mask && remove.mutate(mask.id)}
        >
          Remove
        </Button>
      </div>
    </Dialog>
  )
}
