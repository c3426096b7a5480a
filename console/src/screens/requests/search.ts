import { readText } from '../../lib/read-search.ts'

/** Times that end now, by the names that an address has for them. */
export const lasts = {
  '15m': { label: 'Last 15 minutes', ms: 15 * 60_000 },
  '1h': { label: 'Last hour', ms: 3_600_000 },
  '6h': { label: 'Last 6 hours', ms: 6 * 3_600_000 },
  '24h': { label: 'Last 24 hours', ms: 24 * 3_600_000 },
  '7d': { label: 'Last 7 days', ms: 7 * 24 * 3_600_000 },
  all: { label: 'All that is kept', ms: null },
} as const

/** The name of a time that ends now. */
export type Last = keyof typeof lasts

/** The list's filter; every part stands in the address. */
export interface RequestFilter {
  /** A day where neither it nor instants are named; everything of a session. */
  readonly last?: Last
  /** ISO instants, in place of `last`. */
  readonly from?: string
  readonly to?: string
  readonly method?: string
  readonly status?: string
  readonly service?: string
  readonly q?: string
  readonly session?: string
  /** A person's id, or a user's. */
  readonly person?: string
  readonly requestMs?: number
  readonly statementMs?: number
  /** `schema.table` of a changed row. */
  readonly table?: string
  readonly route?: string
  readonly shape?: string
  /** The fingerprint of a statement. */
  readonly statement?: string
  /** Asked the data API for rows, and there were none. */
  readonly empty?: true
}

/** All that a link to the requests says. */
export interface RequestsSearch extends RequestFilter {
  /** The request open in the drawer. */
  readonly open?: string
  /** Off: the list stands still. */
  readonly live?: 'off'
  /** The numbers of the chart. */
  readonly chart?: 'table'
}

const forms = {
  person: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  status: /^(error|[1-5](xx|\d\d))$/,
  table: /^[^.]+\..+$/,
  statement: /^\d{1,20}$/,
} as const
const texts = ['method', 'service', 'q', 'session', 'route', 'open'] as const
const numbers = ['requestMs', 'statementMs'] as const
const instants = ['from', 'to'] as const

/** Reads a link; what it does not understand it leaves out. */
export function readRequestsSearch(search: Readonly<Record<string, unknown>>): RequestsSearch {
  const { last, shape } = search
  return {
    ...readText(search, ...texts),
    ...(typeof last === 'string' && last in lasts ? { last: last as Last } : {}),
    // A request without parameters has an empty shape.
    ...(typeof shape === 'string' ? { shape } : {}),
    ...Object.fromEntries(
      Object.entries(forms).flatMap(([name, form]) => {
        const value = String(search[name] ?? '')
        return form.test(value) ? [[name, value]] : []
      }),
    ),
    ...Object.fromEntries(
      instants.flatMap((name) => {
        const ms = Date.parse(String(search[name] ?? ''))
        return Number.isNaN(ms) ? [] : [[name, new Date(ms).toISOString()]]
      }),
    ),
    ...Object.fromEntries(numbers.flatMap((name) => (Number(search[name]) > 0 ? [[name, Number(search[name])]] : []))),
    ...(search.empty === true ? { empty: true } : {}),
    ...(search.live === 'off' ? { live: 'off' } : {}),
    ...(search.chart === 'table' ? { chart: 'table' } : {}),
  }
}

/** The time that a filter names, or leaves to be chosen. */
export const lastOf = ({ last, from, to, session }: RequestFilter): Last | 'chosen' =>
  from !== undefined || to !== undefined ? 'chosen' : (last ?? (session === undefined ? '24h' : 'all'))

/** A filter as the API takes it at an instant. */
export function askedOf(filter: RequestFilter, now: Date): Omit<RequestFilter, 'last'> {
  const { last: _last, ...rest } = filter
  const chosen = lastOf(filter)
  const ms = chosen === 'chosen' ? null : lasts[chosen].ms
  return ms === null ? rest : { ...rest, from: new Date(now.getTime() - ms).toISOString() }
}

/** Whether a filter leaves requests out by more than the time. */
export const isNarrow = ({ last: _last, from: _from, to: _to, ...rest }: RequestFilter): boolean =>
  Object.keys(rest).length > 0
