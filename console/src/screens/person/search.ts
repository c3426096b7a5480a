const tabs = ['properties', 'ids', 'flags'] as const

/** All that a link to a person says. */
export interface PersonSearch {
  readonly tab?: (typeof tabs)[number]
}

/** Reads a link; what it does not understand it leaves out. */
export function readPersonSearch(search: Readonly<Record<string, unknown>>): PersonSearch {
  const tab = tabs.find((name) => name === search.tab)
  return tab ? { tab } : {}
}
