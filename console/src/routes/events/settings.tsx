import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { readText } from '../../lib/read-search.ts'
import { CaptureSettingsScreen } from '../../screens/capture-settings/capture-settings-screen.tsx'

export const Route = createFileRoute('/events/settings')({
  validateSearch: (search): { readonly open?: string } => readText(search, 'open'),
  component: CaptureSettingsRoute,
})

function CaptureSettingsRoute() {
  const go = useGo(Route)
  const { open } = Route.useSearch()
  return (
    <CaptureSettingsScreen
      part="events"
      open={open}
      onOpen={(name) => go({ search: name === undefined ? {} : { open: name }, replace: true })}
    />
  )
}
