import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isProofNeeded } from '../../frame/access-queries.ts'
import { useProof } from '../../frame/use-proof.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Member } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { Tick } from '../../ui/tick.tsx'
import { allowedBy, roles } from './roles.ts'

interface MemberDialogProps {
  readonly member: Member
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** Gives an operator another role, or removes them after a second press. */
export function MemberDialog({ member: { id, name, email, role: before }, onChanged, onClose }: MemberDialogProps) {
  const [role, setRole] = useState(before)
  const [isRemoving, setRemoving] = useState(false)
  const [isErased, setErased] = useState(false)
  const proof = useProof()
  const change = useMutation({
    mutationFn: (next: typeof role | null) =>
      next === null ? api.removeOperator(id, isErased) : api.changeRole(id, { role: next }),
    onSuccess() {
      onChanged()
      onClose()
    },
    onError: (problem, next) => proof.ask(problem, () => change.mutate(next)),
  })
  const problem = change.error && !isProofNeeded(change.error) ? errorText(change.error) : undefined
  return (
    <>
      <Dialog open onClose={onClose} title={name}>
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            change.mutate(role)
          }}
        >
          <p className="text-ink-2 wrap-anywhere">{email}</p>
          <div className="grid gap-1">
            <Select label="Role" value={role} options={roles} onChange={setRole} />
            <p className="text-ink-2 text-sm">{allowedBy(role)}</p>
          </div>
          {problem && (
            <p role="alert" className="text-danger">
              {problem}
            </p>
          )}
          <div className="flex flex-wrap items-center gap-2">
            <Button type="submit" look="primary" disabled={role === before || change.isPending}>
              Save the role
            </Button>
            {isRemoving ? (
              <>
                <Button look="danger" disabled={change.isPending} autoFocus onClick={() => change.mutate(null)}>
                  Remove for good
                </Button>
                <Button look="bare" onClick={() => setRemoving(false)}>
                  Keep
                </Button>
              </>
            ) : (
              <Button look="danger" className="ml-auto" onClick={() => setRemoving(true)}>
                Remove
              </Button>
            )}
          </div>
          {isRemoving && (
            <div className="grid gap-2">
              <p className="text-ink-2 text-sm">
                Their sessions, second factors and access tokens are deleted. What they did stays in the audit log.
              </p>
              <Tick
                label="Without their email there"
                hint="Their entries keep a pseudonym in place of it, and no network address. This cannot be undone."
                on={isErased}
                onToggle={setErased}
              />
            </div>
          )}
        </form>
      </Dialog>
      {proof.dialog}
    </>
  )
}
