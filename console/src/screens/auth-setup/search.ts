import { readText } from '../../lib/read-search.ts'

const setupTabs = ['providers', 'mails', 'addresses', 'keys', 'settings'] as const
export type SetupTab = (typeof setupTabs)[number]

/** All that a link to the set-up says. */
export interface SetupSearch {
  /** Providers where none is named. */
  readonly tab?: SetupTab
  /** What is open: a provider, a kind of mail, or a setting. */
  readonly open?: string
  /** Narrows the settings. */
  readonly q?: string
}

/** Reads a link; what it does not understand it leaves out. */
export const readSetupSearch = (search: Readonly<Record<string, unknown>>): SetupSearch => {
  const tab = setupTabs.find((name) => name === search.tab)
  return { ...readText(search, 'open', 'q'), ...(tab && { tab }) }
}
