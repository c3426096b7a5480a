import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isProofNeeded } from '../../frame/access-queries.ts'
import { useProof } from '../../frame/use-proof.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Time } from '../../ui/time.tsx'
import { allowedBy, type Role, roles } from './roles.ts'

interface InviteDialogProps {
  readonly onInvited: () => void
  readonly onClose: () => void
}

/** Asks for an address and a role, then shows the link, which is known only now. */
export function InviteDialog({ onInvited, onClose }: InviteDialogProps) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('developer')
  const proof = useProof()
  const invite = useMutation({
    mutationFn: () => api.inviteOperator({ email, role }),
    onSuccess: onInvited,
    onError: (problem) => proof.ask(problem, () => invite.mutate()),
  })
  const problem = invite.error && !isProofNeeded(invite.error) ? errorText(invite.error) : undefined
  return (
    <>
      <Dialog open onClose={onClose} title={invite.data ? `The link for ${email.trim()}` : 'Invite to the team'}>
        {invite.data ? (
          <Invited {...invite.data} onClose={onClose} />
        ) : (
          <form
            className="grid gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              invite.mutate()
            }}
          >
            <Field
              label="Email"
              type="email"
              value={email}
              onChange={({ target }) => setEmail(target.value)}
              problem={problem}
              maxLength={255}
              required
              autoFocus
              autoComplete="off"
            />
            <div className="grid gap-1">
              <Select label="Role" value={role} options={roles} onChange={setRole} />
              <p className="text-ink-2 text-sm">{allowedBy(role)}</p>
            </div>
            <Button type="submit" look="primary" size="large" className="justify-center" disabled={invite.isPending}>
              Invite
            </Button>
          </form>
        )}
      </Dialog>
      {proof.dialog}
    </>
  )
}

interface InvitedProps {
  readonly url: string
  readonly expiresAt: string
  readonly isMailed: boolean
  readonly onClose: () => void
}

function Invited({ url, expiresAt, isMailed, onClose }: InvitedProps) {
  return (
    <div className="grid gap-4">
      <p>
        {isMailed
          ? 'A mail with this link is on its way; without a mail server it is in the inbox.'
          : 'The mail could not be sent: hand the link over yourself.'}{' '}
        It is shown only now, is good once, and expires <Time at={expiresAt} />.
      </p>
      <Code text={url} copyLabel="Copy the link" />
      <Button look="primary" className="justify-self-start" onClick={onClose}>
        Done
      </Button>
    </div>
  )
}
