import { readText } from '../../lib/read-search.ts'

export const momentKinds = ['session', 'event', 'request', 'change', 'error', 'mail'] as const
export type MomentKind = (typeof momentKinds)[number]

const tabs = ['properties', 'ids', 'flags'] as const

/** All that a link to a person says. */
export interface PersonSearch {
  readonly tab?: (typeof tabs)[number]
  /** The kinds that the line shows, by comma; all where none is named. */
  readonly kinds?: string
  /** The event or request open in the drawer. */
  readonly open?: string
}

/** Reads a link; what it does not understand it leaves out. */
export function readPersonSearch(search: Readonly<Record<string, unknown>>): PersonSearch {
  const tab = tabs.find((name) => name === search.tab)
  return { ...(tab && { tab }), ...readText(search, 'kinds', 'open') }
}

/** The kinds that a link asks for. */
export const readKinds = (text = ''): readonly MomentKind[] =>
  momentKinds.filter((kind) => text.split(',').includes(kind))
