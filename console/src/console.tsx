import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type Connection, ConnectionContext } from './lib/api/connection.ts'
import { type Keyboard, KeyboardContext } from './lib/keyboard.ts'
import type { ConsoleRouter } from './router.tsx'
import { ToastProvider } from './ui/toast.tsx'

interface ConsoleProps {
  readonly router: ConsoleRouter
  readonly queryClient: QueryClient
  readonly connection: Connection
  readonly keyboard: Keyboard
}

/** The whole console, with what its screens read from around them. */
export function Console({ router, queryClient, connection, keyboard }: ConsoleProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <KeyboardContext value={keyboard}>
        <ConnectionContext value={connection}>
          <ToastProvider>
            <RouterProvider router={router} />
          </ToastProvider>
        </ConnectionContext>
      </KeyboardContext>
    </QueryClientProvider>
  )
}
