import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet, redirect, useMatches } from '@tanstack/react-router'
import { Frame } from '../frame/frame.tsx'
import { ApiError } from '../lib/api.ts'
import { operatorQuery } from '../lib/queries.ts'

interface ConsoleContext {
  readonly queryClient: QueryClient
}

// Reached without an account; they stand without the frame.
const openPaths = ['/sign-in', '/welcome']

const isOpen = (pathname: string) => openPaths.some((path) => pathname.endsWith(path))

export const Route = createRootRouteWithContext<ConsoleContext>()({
  beforeLoad: async ({ context, location }) => {
    if (isOpen(location.pathname)) return
    await context.queryClient.ensureQueryData(operatorQuery).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 401)) throw error
      throw redirect({ to: '/sign-in', search: { to: location.href } })
    })
  },
  component: Root,
})

function Root() {
  const bare = useMatches({ select: (matches) => isOpen(matches.at(-1)?.pathname ?? '') })
  return bare ? (
    <Outlet />
  ) : (
    <Frame>
      <Outlet />
    </Frame>
  )
}
