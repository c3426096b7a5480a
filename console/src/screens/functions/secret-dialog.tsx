import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'

interface SecretDialogProps {
  readonly open: boolean
  readonly onSaved: () => void
  readonly onClose: () => void
}

/** Asks for a secret's name and value; one of that name is replaced. */
export function SecretDialog({ open, onSaved, onClose }: SecretDialogProps) {
  const save = useMutation({
    mutationFn: (form: FormData) => api.setFunctionSecret(String(form.get('name')), String(form.get('value'))),
    onSuccess() {
      onSaved()
      onClose()
    },
  })
  return (
    <Dialog open={open} onClose={onClose} title="Set a secret">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(new FormData(event.currentTarget))
        }}
      >
        <Field
          label="Name"
          name="name"
          maxLength={256}
          required
          autoFocus
          autoComplete="off"
          spellCheck={false}
          hint="One of this name is replaced."
          problem={save.error ? errorText(save.error) : undefined}
        />
        <TextArea label="Value" name="value" rows={3} maxLength={49_152} required autoComplete="off" />
        <Button type="submit" look="primary" size="large" className="justify-center" disabled={save.isPending}>
          Set
        </Button>
      </form>
    </Dialog>
  )
}
