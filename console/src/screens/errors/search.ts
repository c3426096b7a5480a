import type { IssueSummary } from '../../lib/api/schemas.ts'

const states = ['open', 'resolved', 'ignored'] as const
export const sorts = ['last seen', 'first seen', 'events', 'people'] as const
export const ranges = ['24h', '7d', '30d'] as const

/** Which errors are listed; every part stands in the URL. */
export interface ErrorsFilter {
  readonly state?: IssueSummary['state'] | 'all'
  readonly q?: string
  readonly source?: string
  readonly release?: string
  readonly assigned?: 'me'
  readonly sort?: (typeof sorts)[number]
  readonly range?: (typeof ranges)[number]
}

/** All that a link to the errors says. */
export interface ErrorsSearch extends ErrorsFilter {
  readonly tab?: 'rules'
}

const words = ['q', 'source', 'release'] as const

/** Reads a link; what it does not understand it leaves out. */
export function readErrorsSearch(search: Readonly<Record<string, unknown>>): ErrorsSearch {
  const one = <Name extends string>(name: string, names: readonly Name[]) => {
    const found = names.find((each) => each === search[name])
    return found === undefined ? {} : { [name]: found }
  }
  return {
    ...Object.fromEntries(
      words.flatMap((name) => {
        const value = search[name]
        return (typeof value === 'string' && value !== '') || typeof value === 'number' ? [[name, String(value)]] : []
      }),
    ),
    ...one('state', [...states, 'all']),
    ...one('assigned', ['me']),
    ...one('sort', sorts),
    ...one('range', ranges),
    ...one('tab', ['rules']),
  }
}
