import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { CohortsScreen } from '../../screens/cohorts/cohorts-screen.tsx'

export const Route = createFileRoute('/cohorts/')({ component: CohortsRoute })

function CohortsRoute() {
  const go = useGo(Route)
  return <CohortsScreen onOpen={(id) => go({ to: '/cohorts/$id', params: { id: String(id) } })} />
}
