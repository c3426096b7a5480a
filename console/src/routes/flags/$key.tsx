import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { FlagScreen, type FlagTab } from '../../screens/flag/flag-screen.tsx'
import { flagQuery } from '../../screens/flag/queries.ts'

export const Route = createFileRoute('/flags/$key')({
  validateSearch: ({ tab }): { readonly tab?: FlagTab } => (tab === 'person' || tab === 'history' ? { tab } : {}),
  loader: ({ context, params }) => context.queryClient.ensureQueryData(flagQuery(params.key)),
  component: FlagRoute,
})

function FlagRoute() {
  const go = useGo(Route)
  const { key } = Route.useParams()
  const { tab = 'conditions' } = Route.useSearch()
  const { data } = useSuspenseQuery(flagQuery(key))
  return (
    <FlagScreen
      key={key}
      flag={data}
      tab={tab}
      onTab={(next) => go({ search: next === 'conditions' ? {} : { tab: next }, replace: true })}
      onArchived={() => go({ to: '/flags', ignoreBlocker: true })}
    />
  )
}
