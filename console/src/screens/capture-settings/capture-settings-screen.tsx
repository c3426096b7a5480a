import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ErrorProblem } from '../../frame/failure.tsx'
import { type Crumb, Page } from '../../frame/page.tsx'
import type { CaptureSetting } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { buttonClasses } from '../../ui/button.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { CaptureSettingsView } from './capture-settings-view.tsx'
import { captureSettingsQuery } from './queries.ts'
import { SettingDialog } from './setting-dialog.tsx'

interface CaptureSettingsScreenProps {
  readonly part: CaptureSetting['part']
  /** The name of the setting that is being changed. */
  readonly open: string | undefined
  readonly onOpen: (name: string | undefined) => void
}

interface ShownPart {
  readonly title: string
  readonly crumb: Crumb
  readonly other: { readonly label: string; readonly to: '/events/settings' | '/sessions/settings' }
}

const parts: Readonly<Record<CaptureSetting['part'], ShownPart>> = {
  events: {
    title: 'Capture settings',
    crumb: { label: 'Events', link: { to: '/events' } },
    other: { label: 'Recording settings', to: '/sessions/settings' },
  },
  recordings: {
    title: 'Recording settings',
    crumb: { label: 'Sessions', link: { to: '/sessions' } },
    other: { label: 'Capture settings', to: '/events/settings' },
  },
}

/** What browsers send by themselves, of one part: seen by who may look, changed by owners. */
export function CaptureSettingsScreen({ part, open, onOpen }: CaptureSettingsScreenProps) {
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(captureSettingsQuery)
  const { canProtect } = useRights()
  const settings = data?.filter((setting) => setting.part === part)
  const changed = canProtect ? settings?.find(({ name, pinned }) => name === open && pinned === null) : undefined
  const { title, crumb, other } = parts[part]
  return (
    <Page
      title={title}
      crumbs={[crumb]}
      actions={
        <Link to={other.to} className={buttonClasses('bare')}>
          {other.label}
        </Link>
      }
    >
      {error && !settings ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : settings === undefined ? (
        <SkeletonRows />
      ) : (
        <CaptureSettingsView
          part={part}
          settings={settings}
          onChange={canProtect ? ({ name }) => onOpen(name) : undefined}
        />
      )}
      {changed && (
        <SettingDialog
          key={changed.name}
          setting={changed}
          onOutdated={() => inBackground(queryClient.invalidateQueries({ queryKey: captureSettingsQuery.queryKey }))}
          onClose={() => onOpen(undefined)}
        />
      )}
    </Page>
  )
}
