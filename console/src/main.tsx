import './tokens.css'
import type { AnyRoute } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Console } from './console.tsx'
import { createKeyboard } from './lib/keyboard.ts'
import { createConsole } from './router.tsx'

const { router, queryClient, connection, live } = createConsole()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

setTimeout(() => loadAhead(Object.values(router.routesById)), 2_000)

createRoot(root).render(
  <StrictMode>
    <Console
      router={router}
      queryClient={queryClient}
      connection={connection}
      live={live}
      keyboard={createKeyboard(window)}
    />
  </StrictMode>,
)

/**
 * Screens are loaded ahead, once the first one has had its time: they open at once, and also while Clew does not answer. One at
 * a time, while the page has nothing else to do: all together they hold it up for a quarter of a second.
 */
function loadAhead([route, ...others]: readonly AnyRoute[]): void {
  if (route === undefined) return
  const next = () => loadAhead(others)
  whenIdle(() => void Promise.resolve(router.loadRouteChunk(route)).then(next, next))
}

/** Safari has no idle callbacks: there, a pause is left to what else is to be done. */
function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(act)
  else setTimeout(act, 100)
}
