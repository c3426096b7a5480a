import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { secretsQuery } from './queries.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { SecretDrawer } from './secret-drawer.tsx'
import { VaultView } from './vault-view.tsx'

interface VaultScreenProps {
  /** The secret that is open beside the list. */
  readonly open: string | undefined
  readonly onOpen: (id: string | undefined) => void
}

/** The secrets of the vault. */
export function VaultScreen({ open, onOpen }: VaultScreenProps) {
  const { query, loadMore } = secretsQuery(useQueryClient())
  const { data: page, error, refetch } = useQuery(query)
  const { canChange } = useRights()
  const [isCreating, setCreating] = useState(false)
  const refresh = () => inBackground(refetch())
  return (
    <Page
      title="Vault"
      actions={
        canChange &&
        page?.installed && (
          <Button look="primary" onClick={() => setCreating(true)}>
            New secret
          </Button>
        )
      }
    >
      {error && !page ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <VaultView page={page} openId={open} onOpen={({ id }) => onOpen(id)} onEnd={() => inBackground(loadMore())} />
      )}
      <SecretDrawer
        id={open}
        secret={page?.items.find(({ id }) => id === open)}
        onChanged={refresh}
        onDeleted={() => {
          onOpen(undefined)
          refresh()
        }}
        onClose={() => onOpen(undefined)}
      />
      <SecretDialog open={isCreating} onSaved={refresh} onClose={() => setCreating(false)} />
    </Page>
  )
}
