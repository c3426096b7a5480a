import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { useToast } from '../../ui/toast.tsx'

interface SendDialogProps {
  readonly queue: string
  readonly open: boolean
  readonly onSent: () => void
  readonly onClose: () => void
}

/** Asks for a message and sends it. */
export function SendDialog({ queue, open, onSent, onClose }: SendDialogProps) {
  const toast = useToast()
  const send = useMutation({
    mutationFn: (form: FormData) =>
      api.sendMessage(queue, { message: String(form.get('message')), delaySeconds: Number(form.get('delay')) }),
    onSuccess({ id }) {
      toast.add({ title: `Message ${id} is sent.` })
      onSent()
      onClose()
    },
  })
  return (
    <Dialog open={open} onClose={onClose} title={`Send to ${queue}`}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          send.mutate(new FormData(event.currentTarget))
        }}
      >
        <TextArea
          label="Message (JSON)"
          name="message"
          defaultValue="{}"
          required
          autoFocus
          problem={send.error ? errorText(send.error) : undefined}
        />
        <Field label="Visible after (seconds)" name="delay" type="number" min={0} max={31_536_000} defaultValue={0} />
        <Button type="submit" look="primary" size="large" className="justify-center" disabled={send.isPending}>
          Send
        </Button>
      </form>
    </Dialog>
  )
}
