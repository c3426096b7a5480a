import { readText } from '../../lib/read-search.ts'

export const personKinds = ['identified', 'anonymous', 'users'] as const

/** By when people were seen, the latest first; by the last time where nothing is said. */
const personSorts = ['first_seen'] as const

/** Which people are listed, and in which order; every part stands in the URL. */
export interface PeopleFilter {
  readonly q?: string
  readonly kind?: (typeof personKinds)[number]
  readonly sort?: (typeof personSorts)[number]
}

/** Reads a link; what it does not understand it leaves out. */
export function readPeopleSearch(search: Readonly<Record<string, unknown>>): PeopleFilter {
  const kind = personKinds.find((name) => name === search.kind)
  const sort = personSorts.find((name) => name === search.sort)
  return { ...readText(search, 'q'), ...(kind && { kind }), ...(sort && { sort }) }
}
