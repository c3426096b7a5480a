import { createContext, use, useEffect, useRef, useSyncExternalStore } from 'react'

/** One key and what it does. `keys` as `KeyboardEvent.key` names them; `mod+k` is ⌘K on a Mac, Ctrl K elsewhere. */
export interface KeyBinding {
  readonly keys: string
  readonly label: string
  readonly run: (event: KeyboardEvent) => void
}

/** The keys of one place of the screen, as the `?` sheet lists them. */
export interface KeyGroup {
  readonly title: string
  readonly bindings: readonly Omit<KeyBinding, 'run'>[]
}

interface Registered {
  readonly title: string
  readonly read: () => readonly KeyBinding[]
}

/** The bound keys; the newest binding is asked first. */
export interface Keyboard {
  readonly add: (group: Registered) => () => void
  readonly subscribe: (changed: () => void) => () => void
  readonly groups: () => readonly KeyGroup[]
}

/** One listener on the window for the whole console. */
export function createKeyboard(target: EventTarget): Keyboard {
  let groups: readonly Registered[] = []
  let shown: readonly KeyGroup[] = []
  const watchers = new Set<() => void>()
  const update = (next: readonly Registered[]) => {
    groups = next
    shown = groups.map(({ title, read }) => ({ title, bindings: read().map(({ keys, label }) => ({ keys, label })) }))
    for (const changed of watchers) changed()
  }
  target.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent) || event.defaultPrevented || event.isComposing) return
    const writing = isWriting(event.target)
    for (const group of groups.toReversed()) {
      const binding = group.read().find(({ keys }) => isPressed(keys, event) && (!writing || keys.startsWith('mod+')))
      if (!binding) continue
      event.preventDefault()
      binding.run(event)
      return
    }
  })
  return {
    add(group) {
      update([...groups, group])
      return () => update(groups.filter((other) => other !== group))
    },
    subscribe(changed) {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
    groups: () => shown,
  }
}

function isPressed(keys: string, event: KeyboardEvent): boolean {
  const wantsMod = keys.startsWith('mod+')
  if ((event.metaKey || event.ctrlKey) !== wantsMod || event.altKey) return false
  const key = wantsMod ? keys.slice(4) : keys
  return key === (event.key.length === 1 && wantsMod ? event.key.toLowerCase() : event.key)
}

/** Keys belong to the text while it is typed, and to a dialog, menu or tab while one has the focus. */
function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest('input, textarea, select, [contenteditable=true], [role=menu], [role=listbox]')) return true
  return target.closest('[role=dialog][data-modal]') !== null
}

const caps: Readonly<Record<string, string>> = {
  ' ': 'Space',
  Escape: 'Esc',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
}

/** A binding's keys as the platform's keyboard names them: `mod+k` is ⌘K on a Mac, Ctrl K elsewhere. */
export function showKeys(keys: string, platform = navigator.platform): string {
  if (!keys.startsWith('mod+')) return caps[keys] ?? keys
  const key = keys.slice(4).toUpperCase()
  return /mac|iphone|ipad/i.test(platform) ? `⌘${key}` : `Ctrl ${key}`
}

/** The keyboard of the running console; null in a view tested alone, where keys are not bound. */
export const KeyboardContext = createContext<Keyboard | null>(null)

/** Binds keys for as long as the component is on the screen. */
export function useKeys(title: string, bindings: readonly KeyBinding[]): void {
  const keyboard = use(KeyboardContext)
  const current = useRef(bindings)
  useEffect(() => {
    current.current = bindings
  })
  useEffect(() => keyboard?.add({ title, read: () => current.current }), [keyboard, title])
}

const none: readonly KeyGroup[] = []

/** The keys that work now, for the `?` sheet. */
export function useKeyGroups(): readonly KeyGroup[] {
  const keyboard = use(KeyboardContext)
  return useSyncExternalStore(keyboard?.subscribe ?? (() => () => undefined), keyboard?.groups ?? (() => none))
}
