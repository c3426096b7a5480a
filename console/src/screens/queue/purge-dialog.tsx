import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Queue } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'

interface PurgeDialogProps {
  readonly queue: Queue
  readonly open: boolean
  readonly onPurged: () => void
  readonly onClose: () => void
}

/** Says what is lost, and asks for the queue's name. */
export function PurgeDialog({ queue, open, onPurged, onClose }: PurgeDialogProps) {
  const [name, setName] = useState('')
  const toast = useToast()
  const purge = useMutation({
    mutationFn: () => api.purgeQueue(queue.name),
    onSuccess({ purged }) {
      toast.add({ title: `${purged} ${purged === 1 ? 'message is' : 'messages are'} deleted.` })
      setName('')
      onPurged()
      onClose()
    },
  })
  const count = queue.visible + queue.inFlight
  return (
    <Dialog open={open} onClose={onClose} title={`Purge ${queue.name}`}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          purge.mutate()
        }}
      >
        <p>
          {count.toLocaleString('en-GB')} {count === 1 ? 'message' : 'messages'} will be deleted, with those that a
          reader works on ({queue.inFlight}). The archive stays. This cannot be undone.
        </p>
        <Field
          label={`Type ${queue.name} to confirm`}
          value={name}
          onChange={(event) => setName(event.target.value)}
          autoFocus
          problem={purge.error ? errorText(purge.error) : undefined}
        />
        <Button
          type="submit"
          look="danger"
          size="large"
          className="justify-center"
          disabled={name !== queue.name || purge.isPending}
        >
          Delete the messages
        </Button>
      </form>
    </Dialog>
  )
}
