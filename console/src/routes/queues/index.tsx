import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { QueuesScreen } from '../../screens/queues/queues-screen.tsx'

export const Route = createFileRoute('/queues/')({ component: QueuesRoute })

function QueuesRoute() {
  const go = useGo(Route)
  return <QueuesScreen onOpen={(name) => go({ to: '/queues/$name', params: { name } })} />
}
