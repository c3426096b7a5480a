import { readText } from '../../lib/read-search.ts'

const tabs = ['sessions', 'people', 'errors', 'properties', 'flags'] as const
export type GroupTab = (typeof tabs)[number]

/** All that a link to a group says. */
export interface GroupSearch {
  /** Events where none is named. */
  readonly tab?: GroupTab
  /** The event open in the drawer. */
  readonly open?: string
}

/** Reads a link; what it does not understand it leaves out. */
export function readGroupSearch(search: Readonly<Record<string, unknown>>): GroupSearch {
  const tab = tabs.find((name) => name === search.tab)
  return { ...(tab && { tab }), ...readText(search, 'open') }
}
