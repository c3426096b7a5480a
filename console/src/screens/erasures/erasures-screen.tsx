import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { ErasureDrawer } from './erasure-drawer.tsx'
import { ErasuresView } from './erasures-view.tsx'
import { erasuresQuery } from './queries.ts'
import { VerifyDialog } from './verify-dialog.tsx'

interface ErasuresScreenProps {
  /** The erasure that is open beside the list. */
  readonly open: string | undefined
  readonly onOpen: (id: string | undefined) => void
}

/** Erasures of people: how far they are, what they came to, their certificates. */
export function ErasuresScreen({ open, onOpen }: ErasuresScreenProps) {
  const { data: erasures, error, refetch } = useQuery(erasuresQuery)
  const { canChange } = useRights()
  const [isVerifying, setVerifying] = useState(false)
  return (
    <Page
      title="Erasures"
      crumbs={[{ label: 'Privacy', link: { to: '/settings/privacy' } }]}
      actions={canChange && <Button onClick={() => setVerifying(true)}>Verify a certificate</Button>}
    >
      {error && !erasures ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <ErasuresView erasures={erasures} openId={open} onOpen={({ id }) => onOpen(id)} />
      )}
      <ErasureDrawer
        id={open}
        isLoaded={erasures !== undefined}
        erasure={erasures?.find(({ id }) => id === open)}
        onClose={() => onOpen(undefined)}
      />
      {isVerifying && <VerifyDialog onClose={() => setVerifying(false)} />}
    </Page>
  )
}
