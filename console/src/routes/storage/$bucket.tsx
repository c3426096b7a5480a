import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { BucketScreen } from '../../screens/storage/bucket/bucket-screen.tsx'
import { readBucketSearch } from '../../screens/storage/bucket/search.ts'

export const Route = createFileRoute('/storage/$bucket')({
  validateSearch: readBucketSearch,
  component: BucketRoute,
})

function BucketRoute() {
  const go = useGo(Route)
  const { bucket } = Route.useParams()
  const search = Route.useSearch()
  return (
    <BucketScreen
      key={bucket}
      bucketId={bucket}
      search={search}
      onSearch={(next, replace = false) => go({ search: next, replace })}
      onGone={() => go({ to: '/storage' })}
    />
  )
}
