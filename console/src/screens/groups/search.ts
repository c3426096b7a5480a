import { readText } from '../../lib/read-search.ts'

/** Which groups are listed; every part stands in the URL. */
export interface GroupsFilter {
  /** The first type where none is named. */
  readonly type?: string
  readonly q?: string
}

/** Reads a link; what it does not understand it leaves out. */
export const readGroupsSearch = (search: Readonly<Record<string, unknown>>): GroupsFilter =>
  readText(search, 'type', 'q')
