import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { IssueSummary } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { MergeDialog } from './merge-dialog.tsx'

type Change = Parameters<typeof api.changeError>[1]

/** What those who may change things do about an error. */
export function IssueActions({ issue }: { readonly issue: IssueSummary }) {
  const { canChange } = useRights()
  const queryClient = useQueryClient()
  const toast = useToast()
  const [isMerging, setMerging] = useState(false)
  const refresh = async () => {
    await queryClient.invalidateQueries({ queryKey: ['error', issue.id] })
    await queryClient.invalidateQueries({ queryKey: ['errors'] })
  }
  const change = useMutation({
    mutationFn: (body: Change) => api.changeError(issue.id, body),
    onSuccess: refresh,
    onError: (error) => toast.add({ title: 'It could not be changed', description: errorText(error) }),
  })
  if (!canChange) return null
  const isOpen = issue.state === 'open'
  return (
    <>
      <Button
        look={isOpen ? 'primary' : 'plain'}
        disabled={change.isPending}
        onClick={() => change.mutate({ state: isOpen ? 'resolved' : 'open' })}
      >
        {isOpen ? 'Resolve' : 'Open again'}
      </Button>
      <Menu
        trigger={
          <Button look="bare" size="icon" aria-label="More actions">
            <Ellipsis aria-hidden="true" className="size-4" />
          </Button>
        }
        items={[
          {
            label: 'Resolve until the next release',
            onSelect: () => change.mutate({ state: 'resolved', inNextRelease: true }),
          },
          { label: 'Ignore', onSelect: () => change.mutate({ state: 'ignored' }) },
          issue.assignedTo === null
            ? { label: 'Assign to me', onSelect: () => change.mutate({ assigned: 'me' }) }
            : { label: 'Assign to no one', onSelect: () => change.mutate({ assigned: null }) },
          { label: 'Merge another into it', onSelect: () => setMerging(true) },
        ]}
      />
      <MergeDialog issue={issue} open={isMerging} onMerged={refresh} onClose={() => setMerging(false)} />
    </>
  )
}
