import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { BucketsScreen } from '../../screens/storage/buckets-screen.tsx'

export const Route = createFileRoute('/storage/')({
  validateSearch: (search): { readonly tab?: 'policies' } => (search.tab === 'policies' ? { tab: 'policies' } : {}),
  component: StorageRoute,
})

function StorageRoute() {
  const go = useGo(Route)
  const { tab = 'buckets' } = Route.useSearch()
  return (
    <BucketsScreen
      tab={tab}
      onTab={(next) => go({ search: next === 'policies' ? { tab: next } : {}, replace: true })}
      onOpen={(bucket) => go({ to: '/storage/$bucket', params: { bucket } })}
    />
  )
}
