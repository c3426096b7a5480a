import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { SurveysScreen } from '../../screens/surveys/surveys-screen.tsx'

export const Route = createFileRoute('/surveys/')({ component: SurveysRoute })

function SurveysRoute() {
  const go = useGo(Route)
  return <SurveysScreen onOpen={(id) => go({ to: '/surveys/$id', params: { id } })} />
}
