import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Advice } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'

interface IgnoreDialogProps {
  readonly advice: Advice
  readonly onIgnored: () => void
  readonly onClose: () => void
}

/** Asks why a finding is left as it is. */
export function IgnoreDialog({ advice: { name, object, title }, onIgnored, onClose }: IgnoreDialogProps) {
  const [reason, setReason] = useState('')
  const ignore = useMutation({
    mutationFn: () => api.ignoreAdvice({ name, object, reason }),
    onSuccess: () => {
      onIgnored()
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title="Ignore a finding">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          ignore.mutate()
        }}
      >
        <p>
          {title}: <span className="mono wrap-anywhere">{object}</span>
        </p>
        <Field
          label="Reason"
          required
          maxLength={500}
          value={reason}
          hint="Your team reads it with the finding, and in the audit log."
          problem={ignore.error ? errorText(ignore.error) : undefined}
          onChange={(event) => setReason(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={reason.trim() === '' || ignore.isPending}>
            Ignore
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
