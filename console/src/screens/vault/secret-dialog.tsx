import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Secret } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'

interface SecretDialogProps {
  readonly open: boolean
  /** The secret that is changed; a new one is stored without it. */
  readonly secret?: Secret | undefined
  readonly onSaved: () => void
  readonly onClose: () => void
}

/** Asks for a secret's name, description and value; an empty value leaves that of a stored secret as it is. */
export function SecretDialog({ open, secret, onSaved, onClose }: SecretDialogProps) {
  const save = useMutation({
    async mutationFn(form: FormData) {
      const text = (name: string) => String(form.get(name))
      const [name, description, value] = [text('name'), text('description'), text('secret')]
      if (secret === undefined) await api.createSecret({ name, description, secret: value })
      else
        await api.changeSecret(secret.id, {
          description,
          ...(name !== '' && { name }),
          ...(value !== '' && { secret: value }),
        })
    },
    onSuccess() {
      onSaved()
      onClose()
    },
  })
  return (
    <Dialog open={open} onClose={onClose} title={secret === undefined ? 'New secret' : 'Change the secret'}>
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
          defaultValue={secret?.name ?? ''}
          maxLength={255}
          required
          autoFocus
          autoComplete="off"
          problem={save.error ? errorText(save.error) : undefined}
        />
        <Field
          label="Description"
          name="description"
          defaultValue={secret?.description ?? ''}
          maxLength={4096}
          autoComplete="off"
        />
        <TextArea
          label={secret === undefined ? 'Value' : 'New value (empty: unchanged)'}
          name="secret"
          rows={3}
          maxLength={65_536}
          required={secret === undefined}
          autoComplete="off"
        />
        <Button type="submit" look="primary" size="large" className="justify-center" disabled={save.isPending}>
          Save
        </Button>
      </form>
    </Dialog>
  )
}
