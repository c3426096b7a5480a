import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { ExperimentsScreen } from '../../screens/experiments/experiments-screen.tsx'

export const Route = createFileRoute('/experiments/')({ component: ExperimentsRoute })

function ExperimentsRoute() {
  const go = useGo(Route)
  return <ExperimentsScreen onOpen={(id) => go({ to: '/experiments/$id', params: { id } })} />
}
