import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { OwnedRows, UserDetail } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { rowsText } from './owned-part.tsx'
import { ownedQuery } from './queries.ts'

interface DeleteUserDialogProps {
  readonly open: boolean
  readonly user: UserDetail
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** Says what goes along with a user, with counts, and asks for the address. */
export function DeleteUserDialog({ open, user, onDeleted, onClose }: DeleteUserDialogProps) {
  const [typed, setTyped] = useState('')
  const { data: owned } = useQuery({ ...ownedQuery(user.id), enabled: open })
  const remove = useMutation({ mutationFn: () => api.deleteUser(user.id), onSuccess: onDeleted })
  const name = user.email ?? user.phone ?? user.id
  const concerned = owned?.tables.filter(({ rows }) => rows > 0) ?? []
  return (
    <Dialog open={open} onClose={onClose} title="Delete the user">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          remove.mutate()
        }}
      >
        <p>
          The account goes, with its identities, factors and {user.sessions.length} open{' '}
          {user.sessions.length === 1 ? 'session' : 'sessions'}. It cannot be brought back. What analytics, recordings
          and logs keep of the person stays: “Erase or export” removes it as well.
        </p>
        {concerned.length > 0 && (
          <ul className="grid gap-1">
            {concerned.map((each) => (
              <li key={`${each.schema}.${each.table}.${each.column}`}>
                <span className="mono">{each.table}</span>: {rowsText(each.rows)} {outcomeText(each)}
              </li>
            ))}
          </ul>
        )}
        <Field
          label={`Type ${name} to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoFocus
          autoComplete="off"
          problem={remove.error ? errorText(remove.error) : undefined}
        />
        <Button
          type="submit"
          look="danger"
          size="large"
          className="justify-center"
          disabled={typed !== name || owned === undefined || remove.isPending}
        >
          Delete
        </Button>
      </form>
    </Dialog>
  )
}

function outcomeText({ onDelete, column }: OwnedRows): string {
  if (onDelete === 'deleted') return 'deleted along'
  return onDelete === 'emptied' ? `whose ${column} is emptied` : 'that keep the user from being deleted'
}
