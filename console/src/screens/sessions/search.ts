import type { SessionFilter } from './queries.ts'

/** Reads a link to the sessions; what it does not understand it leaves out. */
export function readSessionsSearch(search: Readonly<Record<string, unknown>>): SessionFilter {
  return {
    ...(search.q === undefined || search.q === '' ? {} : { q: String(search.q) }),
    ...(search.live === true ? { live: true } : {}),
    ...(search.errors === true ? { errors: true } : {}),
  }
}

/** A list's filter as the link to one of its sessions carries it; nothing of a list without one. */
export const renderListFilter = (filter: SessionFilter): { readonly list?: Readonly<Record<string, unknown>> } =>
  Object.keys(filter).length === 0 ? {} : { list: { ...filter } }
