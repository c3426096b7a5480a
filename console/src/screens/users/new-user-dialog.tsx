import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Tabs } from '../../ui/tabs.tsx'

interface NewUserDialogProps {
  readonly open: boolean
  readonly onCreated: (id: string) => void
  readonly onClose: () => void
}

type Way = 'invite' | 'create'

/** Invites a user by mail, or creates one with a password. */
export function NewUserDialog({ open, onCreated, onClose }: NewUserDialogProps) {
  const [way, setWay] = useState<Way>('invite')
  return (
    <Dialog open={open} onClose={onClose} title="New user">
      <Tabs<Way>
        label="How the user is made"
        value={way}
        onChange={setWay}
        className="-m-4"
        tabs={[
          { name: 'invite', label: 'Invite by mail', panel: <NewUserForm way="invite" onCreated={onCreated} /> },
          { name: 'create', label: 'With a password', panel: <NewUserForm way="create" onCreated={onCreated} /> },
        ]}
      />
    </Dialog>
  )
}

function NewUserForm({ way, onCreated }: Pick<NewUserDialogProps, 'onCreated'> & { readonly way: Way }) {
  const make = useMutation({
    mutationFn: (form: FormData) => {
      const email = String(form.get('email'))
      return way === 'invite'
        ? api.inviteUser({ email })
        : api.createUser({ email, password: String(form.get('password')) })
    },
    onSuccess: ({ id }) => onCreated(id),
  })
  return (
    <form
      className="grid gap-4 p-4"
      onSubmit={(event) => {
        event.preventDefault()
        make.mutate(new FormData(event.currentTarget))
      }}
    >
      <p className="text-ink-2">
        {way === 'invite'
          ? 'A mail with a link goes out. Following it confirms the address and signs in.'
          : 'The address counts as confirmed, and no mail goes out.'}
      </p>
      <Field
        label="Email"
        name="email"
        type="email"
        required
        autoFocus
        autoComplete="off"
        problem={make.error ? errorText(make.error) : undefined}
      />
      {way === 'create' && (
        <Field label="Password" name="password" type="password" required autoComplete="new-password" />
      )}
      <Button type="submit" look="primary" size="large" className="justify-center" disabled={make.isPending}>
        {way === 'invite' ? 'Send the invitation' : 'Create the user'}
      </Button>
    </form>
  )
}
