import { readText } from '../../../lib/read-search.ts'
import { type Last, lasts } from '../search.ts'

/** By what slow statements are ordered, in words. */
export const orders = {
  total: 'Total time',
  p95: 'p95',
  calls: 'Calls',
} as const

/** What a link to the slow statements says. */
export interface SlowSearch {
  /** A day where it is absent. */
  readonly last?: SlowLast
  /** The total time where it is absent. */
  readonly order?: keyof typeof orders
  /** The fingerprint of the statement in the drawer. */
  readonly open?: string
}

/** A time that has a beginning. */
export type SlowLast = Exclude<Last, 'all'>

/** Reads a link; what it does not understand it leaves out. */
export function readSlowSearch(search: Readonly<Record<string, unknown>>): SlowSearch {
  const { last, order } = search
  return {
    ...readText(search, 'open'),
    ...(typeof last === 'string' && last in lasts && last !== 'all' ? { last: last as SlowLast } : {}),
    ...(typeof order === 'string' && order in orders ? { order: order as keyof typeof orders } : {}),
  }
}
