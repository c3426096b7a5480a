import { useEffect, useState } from 'react'

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
