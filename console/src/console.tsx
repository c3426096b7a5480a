import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type Connection, ConnectionContext } from './lib/api/connection.ts'
import { type Keyboard, KeyboardContext } from './lib/keyboard.ts'
import type { LiveConnection } from './lib/live/connection.ts'
import { LiveContext } from './lib/live/use-live.ts'
import type { ConsoleRouter } from './router.tsx'
import { ToastProvider } from './ui/toast.tsx'

interface ConsoleProps {
  readonly router: ConsoleRouter
  readonly queryClient: QueryClient
  readonly connection: Connection
  readonly live: LiveConnection
  readonly keyboard: Keyboard
}

/** The whole console, with what its screens read from around them. */
export function Console({ router, queryClient, connection, live, keyboard }: ConsoleProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <KeyboardContext value={keyboard}>
        <ConnectionContext value={connection}>
          <LiveContext value={live}>
            <ToastProvider>
              <RouterProvider router={router} />
            </ToastProvider>
          </LiveContext>
        </ConnectionContext>
      </KeyboardContext>
    </QueryClientProvider>
  )
}
