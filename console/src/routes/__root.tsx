import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet, redirect, useMatches } from '@tanstack/react-router'
import { Frame } from '../frame/frame.tsx'
import { isSignedOut } from '../lib/api/api-error.ts'
import { operatorQuery } from '../lib/api/queries.ts'

interface ConsoleContext {
  readonly queryClient: QueryClient
}

// Reached without an account; they stand without the frame.
const openPaths = ['/sign-in', '/welcome', '/join', '/shared']

const isOpen = (pathname: string) => openPaths.some((path) => pathname.endsWith(path))

export const Route = createRootRouteWithContext<ConsoleContext>()({
  beforeLoad: async ({ context, location }) => {
    if (isOpen(location.pathname)) return
    await context.queryClient.ensureQueryData(operatorQuery).catch((error: unknown) => {
      if (!isSignedOut(error)) throw error
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
