import posthog from 'posthog-js'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { App } from './App'
import { Spilled } from './Spilled'
import './styles.css'

// What a page throws while it is drawn reaches no listener of the window: React has caught it.
createRoot(document.getElementById('root')!, {
  onCaughtError: (error) => posthog.captureException(error),
}).render(
  <StrictMode>
    <BrowserRouter>
      <Spilled>
        <App />
      </Spilled>
    </BrowserRouter>
  </StrictMode>,
)
