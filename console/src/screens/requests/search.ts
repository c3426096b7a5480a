import type { RequestFilter } from './queries.ts'

/** All that a link to the requests says. */
export interface RequestsSearch extends RequestFilter {
  /** The request open in the drawer. */
  readonly open?: string
  /** Off: the list stands still. */
  readonly live?: 'off'
}

const names = ['method', 'status', 'service', 'q', 'session', 'open'] as const

/** Reads a link; what it does not understand it leaves out. */
export function readRequestsSearch(search: Readonly<Record<string, unknown>>): RequestsSearch {
  return {
    ...Object.fromEntries(
      names.flatMap((name) => {
        const value = search[name]
        return (typeof value === 'string' && value !== '') || typeof value === 'number' ? [[name, String(value)]] : []
      }),
    ),
    ...(search.live === 'off' ? { live: 'off' } : {}),
  }
}
