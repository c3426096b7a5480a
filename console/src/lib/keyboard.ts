import { createContext, use, useEffect, useRef, useSyncExternalStore } from 'react'

/**
 * One key and what it does. `keys` as `KeyboardEvent.key` names them; `mod+k` is ⌘K on a Mac, Ctrl K elsewhere; `g s` is
 * one key after the other.
 */
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
  let begun: { readonly key: string; readonly untilMs: number } | null = null
  target.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent) || event.defaultPrevented || event.isComposing) return
    const writing = isWriting(event.target)
    const bindings = groups.toReversed().flatMap((group) => group.read())
    const first = begun !== null && event.timeStamp < begun.untilMs ? `${begun.key} ` : ''
    begun = null
    const binding =
      (first === '' || writing ? undefined : bindings.find(({ keys }) => isPressed(keys, event, first))) ??
      bindings.find(({ keys }) => isPressed(keys, event) && (!writing || keys.startsWith('mod+')))
    if (binding) {
      event.preventDefault()
      binding.run(event)
    } else if (!writing && bindings.some(({ keys }) => isPressed(keys.replace(/ .$/, ''), event) && keys.includes(' ')))
      begun = { key: event.key, untilMs: event.timeStamp + secondKeyMs }
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

/** How long after its first key the second key of a pair is waited for. */
const secondKeyMs = 1_000

/** @param first the key before, with a space, of a pair that has begun */
function isPressed(keys: string, event: KeyboardEvent, first = ''): boolean {
  if (first !== '') return keys === first + event.key && !event.metaKey && !event.ctrlKey && !event.altKey
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
  if (/^\S \S$/.test(keys)) return keys.toUpperCase().replace(' ', ' then ')
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
