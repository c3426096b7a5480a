import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import type { Mask } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { MaskDialog } from './mask-dialog.tsx'
import { PrivacyView } from './privacy-view.tsx'
import { privacyQuery, withdrawalsQuery } from './queries.ts'
import { RemoveMaskDialog } from './remove-mask-dialog.tsx'

/** What is kept of people: masks, consent, withdrawals and erasures. */
export function PrivacyScreen() {
  const queryClient = useQueryClient()
  const { data: privacy, error, refetch } = useQuery(privacyQuery)
  const { data: withdrawals } = useQuery(withdrawalsQuery)
  const { canProtect } = useRights()
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Mask>()
  const refresh = () => inBackground(queryClient.invalidateQueries({ queryKey: privacyQuery.queryKey }))
  return (
    <Page
      title="Privacy"
      actions={
        canProtect && (
          <Button look="primary" onClick={() => setAdding(true)}>
            New mask
          </Button>
        )
      }
    >
      {error && !privacy ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : privacy === undefined ? (
        <SkeletonRows />
      ) : (
        <PrivacyView privacy={privacy} withdrawals={withdrawals} onRemove={canProtect ? setRemoved : undefined} />
      )}
      <MaskDialog open={isAdding} onSaved={refresh} onClose={() => setAdding(false)} />
      <RemoveMaskDialog mask={removed} onRemoved={refresh} onClose={() => setRemoved(undefined)} />
    </Page>
  )
}
