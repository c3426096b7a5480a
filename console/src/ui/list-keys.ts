import { useEffect, useRef } from 'react'

interface ListKeys {
  readonly count: number
  /** −1 when nothing is selected. */
  readonly selected: number
  readonly onSelect: (index: number) => void
  readonly onOpen: (index: number) => void
}

/** `j` and `k` (or the arrows, with the list focused) move through a list, Enter opens. Not while text is typed. */
export function useListKeys(keys: ListKeys): void {
  const current = useRef(keys)
  useEffect(() => {
    current.current = keys
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
      const target = event.target instanceof Element ? event.target : null
      if (target?.closest('input, textarea, select, [contenteditable=true], [role=menu], [data-modal]')) return
      const { count, selected, onSelect, onOpen } = current.current
      if (count === 0) return
      const inList = target?.closest('[data-list]') !== null
      const down = event.key === 'j' || (inList && event.key === 'ArrowDown')
      const up = event.key === 'k' || (inList && event.key === 'ArrowUp')
      // A focused button or link has an Enter of its own.
      const opens = event.key === 'Enter' && selected >= 0 && !target?.closest('button, a, [role=tab], summary')
      if (!down && !up && !opens) return
      event.preventDefault()
      if (opens) onOpen(selected)
      else onSelect(Math.min(count - 1, Math.max(0, selected + (down ? 1 : -1))))
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
