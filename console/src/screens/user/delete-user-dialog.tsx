import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { OwnedRows, UserDetail } from '../../lib/api/schemas.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
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
  const { data: owned } = useQuery({ ...ownedQuery(user.id), enabled: open })
  const remove = useMutation({ mutationFn: () => api.deleteUser(user.id), onSuccess: onDeleted })
  const concerned = owned?.tables.filter(({ rows }) => rows > 0) ?? []
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Delete the user?"
      action="Delete"
      isPending={owned === undefined || remove.isPending}
      problem={remove.error ? errorText(remove.error) : undefined}
      onConfirm={() => remove.mutate()}
      typed={user.email ?? user.phone ?? user.id}
    >
      <p>
        The account goes, with its identities, factors and {user.sessions.length} open{' '}
        {user.sessions.length === 1 ? 'session' : 'sessions'}. It cannot be brought back. What analytics, recordings and
        logs keep of the person stays: “Erase or export” removes it as well.
      </p>
      {concerned.length > 0 && (
        <ul className="grid gap-1 pt-4">
          {concerned.map((each) => (
            <li key={`${each.schema}.${each.table}.${each.column}`}>
              <span className="mono">{each.table}</span>: {rowsText(each.rows)} {outcomeText(each)}
            </li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  )
}

function outcomeText({ onDelete, column }: OwnedRows): string {
  if (onDelete === 'deleted') return 'deleted along'
  return onDelete === 'emptied' ? `whose ${column} is emptied` : 'that keep the user from being deleted'
}
