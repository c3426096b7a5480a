import { useMutation } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { UserDetail } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'

interface UserActionsProps {
  readonly user: UserDetail
  readonly onChanged: () => void
  readonly onDelete: () => void
  readonly onLink: () => void
  readonly onErase: () => void
}

/** What an operator does with a user, and how it ended. */
export function UserActions({ user, onChanged, onDelete, onLink, onErase }: UserActionsProps) {
  const { canReveal, canProtect } = useRights()
  const toast = useToast()
  const act = useMutation({
    mutationFn: ({ perform }: { readonly perform: () => Promise<unknown>; readonly done: string }) => perform(),
    onSuccess(_, { done }) {
      toast.add({ title: done })
      onChanged()
    },
    onError: (error) => toast.add({ title: 'That did not work.', description: errorText(error) }),
  })
  const unban = { perform: () => api.unbanUser(user.id), done: 'The ban is lifted' }
  const ban = (hours: number, done: string) => act.mutate({ perform: () => api.banUser(user.id, hours), done })
  const hasEmail = user.email !== null
  return (
    <>
      {user.isBanned && (
        <Button disabled={act.isPending} onClick={() => act.mutate(unban)}>
          Lift the ban
        </Button>
      )}
      <Menu
        trigger={
          <Button look="bare" size="icon" aria-label="Actions" title="Actions">
            <MoreHorizontal aria-hidden="true" className="size-4" />
          </Button>
        }
        items={[
          {
            label: 'Sign out everywhere',
            onSelect: () => act.mutate({ perform: () => api.signOutUser(user.id), done: 'Signed out everywhere' }),
          },
          ...(hasEmail
            ? [
                {
                  label: 'Send a password reset',
                  onSelect: () => act.mutate({ perform: () => api.sendReset(user.id), done: `Sent to ${user.email}` }),
                },
              ]
            : []),
          ...(hasEmail && canReveal ? [{ label: 'Sign in as this user…', onSelect: onLink }] : []),
          ...(user.isBanned
            ? []
            : [
                { label: 'Ban for a day', danger: true, onSelect: () => ban(24, 'Banned for a day') },
                { label: 'Ban without end', danger: true, onSelect: () => ban(876_000, 'Banned') },
              ]),
          { label: 'Delete…', danger: true, onSelect: onDelete },
          ...(canProtect ? [{ label: 'Erase or export…', danger: true, onSelect: onErase }] : []),
        ]}
      />
    </>
  )
}
