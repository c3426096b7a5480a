import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { RealtimeScreen } from '../../screens/realtime/realtime-screen.tsx'
import { readRealtimeSearch } from '../../screens/realtime/search.ts'

export const Route = createFileRoute('/realtime/')({ validateSearch: readRealtimeSearch, component: RealtimeRoute })

function RealtimeRoute() {
  const go = useGo(Route)
  return (
    <RealtimeScreen
      search={Route.useSearch()}
      onSearch={(search) => go({ search, replace: true })}
      onOpen={({ topic, isPrivate }) =>
        go({ to: '/realtime/channel', search: { topic, ...(isPrivate && { private: true }) } })
      }
    />
  )
}
