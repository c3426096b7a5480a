import { createFileRoute, notFound } from '@tanstack/react-router'
import { ChannelScreen } from '../../screens/channel/channel-screen.tsx'
import { readChannelSearch } from '../../screens/channel/search.ts'

export const Route = createFileRoute('/realtime/channel')({
  validateSearch: readChannelSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => {
    if (deps.topic === '') throw notFound()
  },
  component: ChannelRoute,
})

function ChannelRoute() {
  const { topic, private: isPrivate = false } = Route.useSearch()
  return <ChannelScreen topic={topic} isPrivate={isPrivate} />
}
