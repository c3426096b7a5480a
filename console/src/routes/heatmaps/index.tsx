import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { HeatmapsScreen } from '../../screens/heatmaps/heatmaps-screen.tsx'
import { readHeatmapsSearch } from '../../screens/heatmaps/search.ts'

export const Route = createFileRoute('/heatmaps/')({
  validateSearch: readHeatmapsSearch,
  component: HeatmapsRoute,
})

function HeatmapsRoute() {
  const go = useGo(Route)
  return (
    <HeatmapsScreen
      search={Route.useSearch()}
      onSearch={(search) => go({ search, replace: true })}
      onOpen={(search) => go({ search })}
    />
  )
}
