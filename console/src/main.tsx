import './tokens.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createKeyboard, KeyboardContext } from './lib/keyboard.ts'
import { createConsole } from './router.tsx'
import { ToastProvider } from './ui/toast.tsx'

const { router, queryClient } = createConsole()
const keyboard = createKeyboard(window)
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <KeyboardContext value={keyboard}>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </KeyboardContext>
    </QueryClientProvider>
  </StrictMode>,
)
