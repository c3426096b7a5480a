import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { recordingSettingsQuery } from './queries.ts'
import { RecordingSettingsView } from './recording-settings-view.tsx'
import { SettingDialog } from './setting-dialog.tsx'

interface RecordingSettingsScreenProps {
  /** The name of the setting that is being changed. */
  readonly open: string | undefined
  readonly onOpen: (name: string | undefined) => void
}

/** What browsers record: seen by who may look, changed by owners. */
export function RecordingSettingsScreen({ open, onOpen }: RecordingSettingsScreenProps) {
  const queryClient = useQueryClient()
  const { data: settings, error, refetch } = useQuery(recordingSettingsQuery)
  const { canProtect } = useRights()
  const changed = canProtect ? settings?.find(({ name, pinned }) => name === open && pinned === null) : undefined
  return (
    <Page title="Recording settings" crumbs={[{ label: 'Sessions', link: { to: '/sessions' } }]}>
      {error && !settings ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : settings === undefined ? (
        <SkeletonRows />
      ) : (
        <RecordingSettingsView settings={settings} onChange={canProtect ? ({ name }) => onOpen(name) : undefined} />
      )}
      {changed && (
        <SettingDialog
          key={changed.name}
          setting={changed}
          onSaved={() => inBackground(queryClient.invalidateQueries({ queryKey: recordingSettingsQuery.queryKey }))}
          onClose={() => onOpen(undefined)}
        />
      )}
    </Page>
  )
}
