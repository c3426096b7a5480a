import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Page } from '../../frame/page.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { keepSaved } from '../../lib/api/keep-saved.ts'
import { flagsQuery } from '../../lib/api/queries.ts'
import type { Flag } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Dot } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useToast } from '../../ui/toast.tsx'
import { FlagForm } from './flag-form.tsx'
import { HistoryView } from './history-view.tsx'
import { PersonCheck } from './person-check.tsx'
import { flagChangesQuery, flagQuery } from './queries.ts'

/** What is open of a flag. */
export type FlagTab = 'conditions' | 'person' | 'history'

interface FlagScreenProps {
  readonly flag: Flag
  readonly tab: FlagTab
  readonly onTab: (tab: FlagTab) => void
  readonly onArchived: () => void
}

/** One flag: who gets it, what one person gets, and its history. */
export function FlagScreen({ flag, tab, onTab, onArchived }: FlagScreenProps) {
  const queryClient = useQueryClient()
  const { canChange } = useRights()
  const [isArchiving, setArchiving] = useState(false)
  const save = useSave(flag)
  return (
    <Page
      crumbs={[{ label: 'Flags', link: { to: '/flags' } }]}
      title={flag.key}
      facts={
        <>
          {flag.active ? <Dot tone="ok">active</Dot> : <Dot tone="quiet">off</Dot>}
          <span>version {flag.version}</span>
          {flag.remoteOnly && <span title="No client can evaluate it by itself">evaluated by the server alone</span>}
        </>
      }
      actions={
        canChange && (
          <Button look="danger" onClick={() => setArchiving(true)}>
            Archive
          </Button>
        )
      }
    >
      <Tabs
        label="Flag"
        className="flex-1"
        value={tab}
        onChange={onTab}
        tabs={[
          {
            name: 'conditions',
            label: 'Conditions',
            isKept: true,
            panel: (
              <FlagForm
                flag={flag}
                canChange={canChange}
                isSaving={save.isPending}
                problem={save.error ? errorText(save.error) : undefined}
                onSave={save.mutate}
              />
            ),
          },
          {
            name: 'person',
            label: 'Evaluate for a person',
            panel: canChange ? (
              <PersonCheck flag={flag} />
            ) : (
              <Empty title="Persons are for owners and developers.">
                <p>Their properties are the application’s data.</p>
              </Empty>
            ),
          },
          { name: 'history', label: 'History', panel: <HistoryView flagKey={flag.key} /> },
        ]}
      />
      <ArchiveDialog
        flagKey={flag.key}
        open={isArchiving}
        onClose={() => setArchiving(false)}
        onArchived={async () => {
          await queryClient.invalidateQueries({ queryKey: flagsQuery.queryKey })
          onArchived()
        }}
      />
    </Page>
  )
}

/** Saves a draft of a flag as the change of the version that it knows. */
function useSave(flag: Flag) {
  const queryClient = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn({ key, description, active, filters, keepsBucket, bucketing, runtime, contexts, earlyAccess }: Flag) {
      const body = { description, active, filters, keepsBucket, bucketing, runtime, contexts, earlyAccess }
      return api.changeFlag(key, { ...body, version: flag.version })
    },
    async onSuccess(saved) {
      await keepSaved(queryClient, flagQuery(flag.key), saved)
      toast.add({ title: 'Saved.', description: 'The next call of every client answers by it.' })
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: flagChangesQuery(flag.key).queryKey }),
        queryClient.invalidateQueries({ queryKey: flagsQuery.queryKey }),
      ])
    },
    // Another operator may have changed it.
    onError: () => queryClient.invalidateQueries({ queryKey: flagQuery(flag.key).queryKey }),
  })
}

interface ArchiveDialogProps {
  readonly flagKey: string
  readonly open: boolean
  readonly onClose: () => void
  readonly onArchived: () => Promise<void>
}

function ArchiveDialog({ flagKey, open, onClose, onArchived }: ArchiveDialogProps) {
  const archive = useMutation({ mutationFn: () => api.archiveFlag(flagKey), onSuccess: onArchived })
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Archive ${flagKey}?`}
      action="Archive the flag"
      isPending={archive.isPending}
      problem={archive.error ? errorText(archive.error) : undefined}
      onConfirm={archive.mutate}
    >
      It is off for all from the next call on, and code that asks for it gets nothing. Its history is kept, and it can
      be restored.
    </ConfirmDialog>
  )
}
