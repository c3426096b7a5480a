import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isProofNeeded } from '../../frame/access-queries.ts'
import { useProof } from '../../frame/use-proof.tsx'
import { keptLongerQuery } from '../../holds/queries.ts'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Hold } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/text-area.tsx'

interface EndHoldDialogProps {
  readonly hold: Hold
  readonly onClose: () => void
}

/** Says what goes when a hold ends, and asks why it does. */
export function EndHoldDialog({ hold, onClose }: EndHoldDialogProps) {
  const [reason, setReason] = useState('')
  const proof = useProof()
  const queryClient = useQueryClient()
  const end = useMutation({
    mutationFn: () => api.endHold(hold.id, reason.trim()),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: keptLongerQuery.queryKey })
      onClose()
    },
    onError: (problem) => proof.ask(problem, () => end.mutate()),
  })
  return (
    <Dialog open onClose={onClose} title="End the hold">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          end.mutate()
        }}
      >
        <p>
          What it kept is removed within the hour where it is past its days, and cannot be brought back. Other holds go
          on. It was placed for: <span className="wrap-anywhere">{hold.reason}</span>
        </p>
        <TextArea
          label="Reason"
          look="prose"
          rows={3}
          maxLength={2000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          problem={end.error && !isProofNeeded(end.error) ? errorText(end.error) : undefined}
          required
        />
        <Button
          type="submit"
          look="danger"
          size="large"
          className="justify-center"
          disabled={reason.trim() === '' || end.isPending}
        >
          End the hold
        </Button>
      </form>
      {proof.dialog}
    </Dialog>
  )
}
