import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { operatorQuery } from '../../lib/api/queries.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Menu } from '../../ui/menu.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { type BulkAction, BulkDialog } from './bulk-dialog.tsx'
import { NewUserDialog } from './new-user-dialog.tsx'
import { usersQuery } from './queries.ts'
import type { UsersFilter } from './search.ts'
import { UsersView } from './users-view.tsx'

interface UsersScreenProps {
  readonly filter: UsersFilter
  readonly onFilter: (filter: UsersFilter) => void
  readonly onOpen: (id: string) => void
}

/** The application's users, for owners and developers. */
export function UsersScreen(props: UsersScreenProps) {
  const { canChange } = useRights()
  const isKnown = useQuery(operatorQuery).data !== undefined
  if (canChange) return <OpenUsersScreen {...props} />
  return (
    <Page title="Users">
      {isKnown ? (
        <Empty title="Users are for owners and developers.">
          <p>Who visits the application is under People.</p>
        </Empty>
      ) : (
        <SkeletonRows />
      )}
    </Page>
  )
}

function OpenUsersScreen({ filter, onFilter, onOpen }: UsersScreenProps) {
  const queryClient = useQueryClient()
  const { query, loadMore } = usersQuery(queryClient, filter)
  const { data: list, error, refetch } = useQuery(query)
  const [isAdding, setAdding] = useState(false)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [action, setAction] = useState<BulkAction>()
  return (
    <Page
      title="Users"
      actions={
        <>
          {selected.size > 0 && (
            <Menu
              trigger={<Button>{selected.size} selected</Button>}
              items={[
                { label: 'Sign out…', onSelect: () => setAction('sign out') },
                { label: 'Ban…', danger: true, onSelect: () => setAction('ban') },
                { label: 'Delete…', danger: true, onSelect: () => setAction('delete') },
              ]}
            />
          )}
          <Link to="/auth/setup" className={buttonClasses()}>
            Setup
          </Link>
          <Button look="primary" onClick={() => setAdding(true)}>
            New user
          </Button>
        </>
      }
    >
      {error && !list ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <UsersView
          list={list}
          filter={filter}
          onFilter={(next) => {
            setSelected(new Set())
            onFilter(next)
          }}
          onOpen={({ id }) => onOpen(id)}
          onEnd={() => inBackground(loadMore())}
          selected={selected}
          onSelect={(ids) => setSelected(new Set(ids))}
        />
      )}
      {action && (
        <BulkDialog
          action={action}
          ids={[...selected]}
          onDone={(failed) => {
            inBackground(queryClient.invalidateQueries({ queryKey: ['users'] }))
            setSelected(new Set(failed))
            setAction(undefined)
          }}
          onClose={() => {
            inBackground(queryClient.invalidateQueries({ queryKey: ['users'] }))
            setAction(undefined)
          }}
        />
      )}
      <NewUserDialog
        key={String(isAdding)}
        open={isAdding}
        onCreated={(id) => {
          inBackground(queryClient.invalidateQueries({ queryKey: ['users'] }))
          onOpen(id)
        }}
        onClose={() => setAdding(false)}
      />
    </Page>
  )
}
