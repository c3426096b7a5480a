import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Queue } from '../../lib/api/schemas.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useToast } from '../../ui/toast.tsx'

interface PurgeDialogProps {
  readonly queue: Queue
  readonly open: boolean
  readonly onPurged: () => void
  readonly onClose: () => void
}

/** Says what is lost, and asks for the queue's name. */
export function PurgeDialog({ queue, open, onPurged, onClose }: PurgeDialogProps) {
  const toast = useToast()
  const purge = useMutation({
    mutationFn: () => api.purgeQueue(queue.name),
    onSuccess({ purged }) {
      toast.add({ title: `${purged} ${purged === 1 ? 'message is' : 'messages are'} deleted.` })
      onPurged()
      onClose()
    },
  })
  const count = queue.visible + queue.inFlight
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Purge ${queue.name}?`}
      action="Delete the messages"
      isPending={purge.isPending}
      problem={purge.error ? errorText(purge.error) : undefined}
      onConfirm={() => purge.mutate()}
      typed={queue.name}
    >
      {count.toLocaleString('en-GB')} {count === 1 ? 'message' : 'messages'} will be deleted, with those that a reader
      works on ({queue.inFlight}). The archive stays. This cannot be undone.
    </ConfirmDialog>
  )
}
