import { readText } from '../../lib/read-search.ts'

export const personKinds = ['identified', 'anonymous', 'users'] as const

/** Which people are listed; every part stands in the URL. */
export interface PeopleFilter {
  readonly q?: string
  readonly kind?: (typeof personKinds)[number]
}

/** Reads a link; what it does not understand it leaves out. */
export function readPeopleSearch(search: Readonly<Record<string, unknown>>): PeopleFilter {
  const kind = personKinds.find((name) => name === search.kind)
  return { ...readText(search, 'q'), ...(kind && { kind }) }
}
