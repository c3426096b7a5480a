import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { FunctionsScreen, type FunctionsTab } from '../../screens/functions/functions-screen.tsx'

export const Route = createFileRoute('/functions/')({
  validateSearch: (search): { readonly tab?: FunctionsTab } => (search.tab === 'secrets' ? { tab: 'secrets' } : {}),
  component: FunctionsRoute,
})

function FunctionsRoute() {
  const go = useGo(Route)
  const { tab = 'functions' } = Route.useSearch()
  return (
    <FunctionsScreen
      tab={tab}
      onTab={(next) => go({ search: next === 'secrets' ? { tab: next } : {}, replace: true })}
      onOpen={(name) => go({ to: '/functions/$name', params: { name } })}
    />
  )
}
