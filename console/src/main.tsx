import './tokens.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Console } from './console.tsx'
import { createKeyboard } from './lib/keyboard.ts'
import { createConsole } from './router.tsx'

const { router, queryClient, connection, live } = createConsole()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// Screens are loaded ahead, once the first one has had its time: they open at once, and also while Clew does not answer.
setTimeout(() => {
  for (const route of Object.values(router.routesById)) router.loadRouteChunk(route)?.catch(() => undefined)
}, 2_000)

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
