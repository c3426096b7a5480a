import { focusManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { FailedScreen } from './frame/failure.tsx'
import { MissingScreen } from './frame/missing.tsx'
import { Pending } from './frame/pending.tsx'
import { isSignedOut, retryUnanswered } from './lib/api/api-error.ts'
import { createConnection } from './lib/api/connection.ts'
import { inBackground } from './lib/in-background.ts'
import { createLiveConnection, type LiveSocket, openLiveSocket } from './lib/live/connection.ts'
import { refreshLiveQueries } from './lib/live/refresh.ts'
import { routeTree } from './routes.gen.ts'

/**
 * The router and its query cache. An answer of 401 anywhere leads to the sign-in screen and back.
 *
 * @param history    the browser's when absent
 * @param openSocket opens the live connection
 */
export function createConsole(history?: RouterHistory, openSocket: () => LiveSocket = openLiveSocket) {
  const queryClient: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!isSignedOut(error) || query.queryKey[0] === 'operator') return
        queryClient.removeQueries({ queryKey: ['operator'] })
        inBackground(router.invalidate())
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        // A rejected request stays rejected; only a server that did not answer is worth another try.
        retry: retryUnanswered,
        refetchOnWindowFocus: true,
        // A machine without the internet still reaches itself; whether Clew answers is found out by asking.
        networkMode: 'always',
      },
      // Without it a save waits, unsent, until the machine is back in a network.
      mutations: { networkMode: 'always' },
    },
  })
  const connection = createConnection(queryClient.getQueryCache(), () => inBackground(queryClient.invalidateQueries()))
  const live = createLiveConnection({
    open: openSocket,
    signedOut: () => inBackground(queryClient.invalidateQueries()),
  })
  focusManager.subscribe(live.setSeen)
  refreshLiveQueries(queryClient, live)
  const router = createRouter({
    routeTree,
    ...(history && { history }),
    basepath: '/console',
    // A screen gets the parameters that its `validateSearch` returns, and no other of its address.
    search: { strict: true },
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    defaultPendingMinMs: 200,
    defaultPendingComponent: Pending,
    defaultErrorComponent: FailedScreen,
    defaultNotFoundComponent: MissingScreen,
  })
  return { router, queryClient, connection, live }
}

/** The console's router, with the types of its routes. */
export type ConsoleRouter = ReturnType<typeof createConsole>['router']

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter
  }
}
