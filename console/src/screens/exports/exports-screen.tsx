import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import type { ScheduledExport } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { ExportDrawer } from './export-drawer.tsx'
import { ExportDialog } from './export-form.tsx'
import { ExportsView } from './exports-view.tsx'
import { exportsQuery } from './queries.ts'
import { RemoveExportDialog } from './remove-export-dialog.tsx'

interface ExportsScreenProps {
  /** The export that is open beside the list. */
  readonly openId: string | undefined
  readonly onOpen: (id: string | undefined) => void
}

/** Exports to buckets by a schedule. */
export function ExportsScreen({ openId, onOpen }: ExportsScreenProps) {
  const queryClient = useQueryClient()
  const { data: exports, error, refetch } = useQuery(exportsQuery)
  const { canChange } = useRights()
  // Null is a new one.
  const [edited, setEdited] = useState<ScheduledExport | null>()
  const [removed, setRemoved] = useState<ScheduledExport>()
  const refresh = () => inBackground(queryClient.invalidateQueries({ queryKey: exportsQuery.queryKey }))
  return (
    <Page
      title="Exports"
      actions={
        canChange && (
          <Button look="primary" onClick={() => setEdited(null)}>
            New export
          </Button>
        )
      }
    >
      {error && !exports ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <ExportsView
          exports={exports}
          openId={openId}
          onOpen={onOpen}
          onNew={canChange ? () => setEdited(null) : undefined}
        />
      )}
      <ExportDrawer
        item={exports?.find(({ id }) => id === openId)}
        onEdit={setEdited}
        onRemove={setRemoved}
        onClose={() => onOpen(undefined)}
      />
      {edited !== undefined && (
        <ExportDialog
          item={edited && (exports?.find(({ id }) => id === edited.id) ?? edited)}
          onRefused={refresh}
          onSaved={(id) => {
            refresh()
            onOpen(id)
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
      <RemoveExportDialog
        item={removed}
        onRemoved={() => {
          refresh()
          onOpen(undefined)
        }}
        onClose={() => setRemoved(undefined)}
      />
    </Page>
  )
}
