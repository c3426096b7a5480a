import { useEffect, useState } from 'react'

/** What the operator chose; `system` follows the machine. */
export type Theme = 'system' | 'light' | 'dark'

const key = 'clew.theme'

/** The choice stored in this browser; `system` when there is none or storage is closed to us. */
export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(key)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

/** Shows a theme at once and stores it for the next visit. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem(key)
    else localStorage.setItem(key, theme)
  } catch {
    // Storage refused (private window, policy): the theme holds until the page is left.
  }
}

/** The number of theme changes so far, by the operator's choice or the system's. */
export function useThemeChanges(): number {
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    const changed = () => setChanges((count) => count + 1)
    const chosen = new MutationObserver(changed)
    chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    const system = window.matchMedia?.('(prefers-color-scheme: dark)')
    system?.addEventListener('change', changed)
    return () => {
      chosen.disconnect()
      system?.removeEventListener('change', changed)
    }
  }, [])
  return changes
}
