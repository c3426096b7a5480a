import { filterText } from '../../lib/filters/property-filter.ts'
import { readText } from '../../lib/read-search.ts'

export const eventRanges = ['1h', '24h', '7d', '30d', '90d'] as const
/** What is looked at where the link says nothing. */
export const usualRange = '7d'

/** Which events are listed; every part stands in the URL. */
export interface EventsFilter {
  readonly event?: string
  readonly person?: string
  readonly session?: string
  /** On properties, each as `filterText` writes it; all of them hold. */
  readonly filter?: readonly string[]
  readonly range?: (typeof eventRanges)[number]
}

/** All that a link to the events says. */
export interface EventsSearch extends EventsFilter {
  /** The event open in the drawer. */
  readonly open?: string
  /** Off: the list stands still. */
  readonly live?: 'off'
}

/** Of which events the properties are looked at. */
export type PropertiesFilter = Pick<EventsFilter, 'event' | 'range'>

/** Reads a link to the properties. */
export function readPropertiesSearch(search: Readonly<Record<string, unknown>>): PropertiesFilter {
  const { event, range } = readEventsSearch(search)
  return { ...(event && { event }), ...(range && { range }) }
}

/** Reads a link; what it does not understand it leaves out. */
export function readEventsSearch(search: Readonly<Record<string, unknown>>): EventsSearch {
  const range = eventRanges.find((name) => name === search.range)
  const texts = [...filterOfProperty(search), search.filter ?? []].flat()
  // The router reads what it has read before, too: each stands once.
  const filter = [...new Set(texts.flatMap((text) => (typeof text === 'string' ? text : [])))]
  return {
    ...readText(search, 'event', 'person', 'session', 'open'),
    ...(filter.length > 0 && { filter }),
    ...(range && range !== usualRange ? { range } : {}),
    ...(search.live === 'off' ? { live: 'off' } : {}),
  }
}

/** Links that were kept from before filters had operators name one property, and may name its value. */
function filterOfProperty(search: Readonly<Record<string, unknown>>): readonly string[] {
  const { property, value } = readText(search, 'property', 'value')
  if (property === undefined) return []
  return [filterText({ property, operator: value === undefined ? 'is_set' : 'exact', value: value ?? '' })]
}
