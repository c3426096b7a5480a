import { Dialog as Sheet } from '@base-ui/react/dialog'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { api } from '../lib/api/api.ts'
import { instanceQuery, operatorQuery, presenceQuery } from '../lib/api/queries.ts'
import { inBackground } from '../lib/in-background.ts'
import { useKeys } from '../lib/keyboard.ts'
import { applyTheme, readTheme, type Theme } from '../lib/theme.ts'
import { useToast } from '../ui/toast.tsx'
import { ConnectionLine } from './connection-line.tsx'
import { KeySheet } from './key-sheet.tsx'
import { FrameContext } from './page.tsx'
import { type Place, places } from './places.ts'
import { Rail } from './rail.tsx'

// The first screen does not wait for what is opened by a key.
const SearchBox = lazy(async () => ({ default: (await import('./search-box.tsx')).SearchBox }))

const railKey = 'clew.rail'

/** The rail at the left, the screen at the right, search and the sheet of keys over both. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const [open, setOpen] = useState<'search' | 'keys' | 'rail'>()
  const [collapsed, setCollapsed] = useState(() => readFlag(railKey))
  const [theme, setTheme] = useState(readTheme)
  const { data: instance } = useQuery(instanceQuery)
  const { data: presence } = useQuery(presenceQuery)
  const { data: operator } = useQuery(operatorQuery)
  const signOut = useSignOut()
  const actions = { openSearch: () => setOpen('search'), openRail: () => setOpen('rail') }
  useKeys('Everywhere', [
    { keys: 'mod+k', label: 'Find anything', run: () => setOpen('search') },
    { keys: '?', label: 'Show these keys', run: () => setOpen('keys') },
  ])
  const navigate = useNavigate()
  useKeys(
    'Go to',
    goKeys((to) => inBackground(navigate({ to }))),
  )
  const changeTheme = (next: Theme) => {
    applyTheme(next)
    setTheme(next)
  }
  const rail = {
    instance,
    presence,
    operator,
    theme,
    onTheme: changeTheme,
    onSignOut: signOut,
  }
  return (
    <FrameContext value={actions}>
      <div className="flex h-full flex-col">
        <ConnectionLine />
        <div className="flex min-h-0 flex-1">
          <div className="shrink-0 border-line border-r max-sheet:hidden" style={{ width: collapsed ? 48 : 208 }}>
            <Rail
              {...rail}
              collapsed={collapsed}
              onCollapse={(next) => {
                writeFlag(railKey, next)
                setCollapsed(next)
              }}
            />
          </div>
          <div className="h-full min-w-0 flex-1">{children}</div>
        </div>
      </div>
      <Sheet.Root open={open === 'rail'} onOpenChange={(next) => !next && setOpen(undefined)}>
        <Sheet.Portal>
          <Sheet.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
          <Sheet.Popup
            data-modal=""
            aria-label="Menu"
            className="data-starting-style:-translate-x-4 data-ending-style:-translate-x-4 fixed inset-y-0 left-0 z-50 w-60 bg-paper shadow-float outline-none transition-[translate,opacity] data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            <Rail {...rail} collapsed={false} onGo={() => setOpen(undefined)} />
          </Sheet.Popup>
        </Sheet.Portal>
      </Sheet.Root>
      {open === 'search' && (
        <Suspense>
          <SearchBox open onClose={() => setOpen(undefined)} onTheme={changeTheme} onSignOut={signOut} />
        </Suspense>
      )}
      <KeySheet open={open === 'keys'} onClose={() => setOpen(undefined)} />
    </FrameContext>
  )
}

/** `g` and a letter for each place that has one. */
const goKeys = (go: (to: Place['to']) => void) =>
  places.flatMap(({ screens }) =>
    screens.flatMap(({ to, label, key }) => (key ? [{ keys: `g ${key}`, label, run: () => go(to) }] : [])),
  )

function useSignOut(): () => void {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const toast = useToast()
  return () => {
    api.signOut().then(
      async () => {
        await navigate({ to: '/sign-in', search: {} })
        queryClient.clear()
      },
      (error: unknown) => toast.add({ title: 'Not signed out', description: String(error) }),
    )
  }
}

function readFlag(key: string): boolean {
  try {
    return localStorage.getItem(key) === 'yes'
  } catch {
    return false
  }
}

function writeFlag(key: string, on: boolean): void {
  try {
    localStorage.setItem(key, on ? 'yes' : 'no')
  } catch {
    // Storage refused: it holds until the page is left.
  }
}
