import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { BucketDialog } from './bucket-dialog.tsx'
import { BucketsView } from './buckets-view.tsx'
import { PoliciesPanel } from './policies-panel.tsx'
import { bucketsQuery, policiesQuery } from './queries.ts'
import { StorageGate } from './storage-gate.tsx'

/** The tab of the screen. */
export type StorageTab = 'buckets' | 'policies'

interface BucketsScreenProps {
  readonly tab: StorageTab
  readonly onTab: (tab: StorageTab) => void
  readonly onOpen: (bucketId: string) => void
}

/** The buckets, and the policies that say who reads and writes their objects. */
export function BucketsScreen(props: BucketsScreenProps) {
  return (
    <StorageGate>
      <Buckets {...props} />
    </StorageGate>
  )
}

/** A count that is older says so. */
const oldCountMs = 15_000

function Buckets({ tab, onTab, onOpen }: BucketsScreenProps) {
  const { data, error, refetch, dataUpdatedAt } = useQuery(bucketsQuery)
  const policies = useQuery(policiesQuery)
  const { canChange } = useRights()
  const [isCreating, setCreating] = useState(false)
  const create = canChange && (
    <Button look="primary" onClick={() => setCreating(true)}>
      New bucket
    </Button>
  )
  return (
    <Page
      title="Storage"
      facts={
        data &&
        dataUpdatedAt - Date.parse(data.countedAt) > oldCountMs && (
          <span>
            Objects and sizes as counted <Time at={data.countedAt} />
          </span>
        )
      }
      actions={create}
    >
      {error && !data ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <Tabs<StorageTab>
          label="Storage"
          value={tab}
          onChange={onTab}
          className="flex-1"
          tabs={[
            {
              name: 'buckets',
              label: 'Buckets',
              count: data?.buckets.length,
              panel: <BucketsView buckets={data?.buckets} onOpen={({ id }) => onOpen(id)} />,
            },
            {
              name: 'policies',
              label: 'Policies',
              count: policies.data?.policies.length,
              panel: <PoliciesPanel buckets={data?.buckets ?? []} />,
            },
          ]}
        />
      )}
      <BucketDialog open={isCreating} bucket={null} onClose={() => setCreating(false)} onSaved={onOpen} />
    </Page>
  )
}
