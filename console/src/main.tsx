import './tokens.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ConnectionContext } from './lib/connection.ts'
import { createKeyboard, KeyboardContext } from './lib/keyboard.ts'
import { createConsole } from './router.tsx'
import { ToastProvider } from './ui/toast.tsx'

const { router, queryClient, connection } = createConsole()
const keyboard = createKeyboard(window)
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// Screens are loaded ahead, once the first one has had its time: they open at once, and also while Clew does not answer.
setTimeout(() => {
  for (const route of Object.values(router.routesById)) router.loadRouteChunk(route)?.catch(() => undefined)
}, 2_000)

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <KeyboardContext value={keyboard}>
        <ConnectionContext value={connection}>
          <ToastProvider>
            <RouterProvider router={router} />
          </ToastProvider>
        </ConnectionContext>
      </KeyboardContext>
    </QueryClientProvider>
  </StrictMode>,
)
