import { readText } from '../../lib/read-search.ts'

export const userStates = ['confirmed', 'unconfirmed', 'banned', 'anonymous', 'deleted'] as const

/** The times that are asked for, in days. */
export const withinDays = { '1': 'within a day', '7': 'within a week', '30': 'within a month' } as const
type Days = keyof typeof withinDays

/** Which users are listed, and in which order; every part stands in the URL. */
export interface UsersFilter {
  readonly q?: string
  readonly state?: (typeof userStates)[number]
  readonly provider?: string
  /** A last sign-in within so many days. */
  readonly days?: Days
  /** Created within so many days. */
  readonly created?: Days
  /** By the last sign-in; by creation where nothing is said. */
  readonly sort?: 'signed in'
}

/** So many days, where a text says so. */
export const readDays = (text: unknown): Days | undefined =>
  (['1', '7', '30'] as const).find((name) => name === String(text))

/** Reads a link; what it does not understand it leaves out. */
export function readUsersSearch(search: Readonly<Record<string, unknown>>): UsersFilter {
  const state = userStates.find((name) => name === search.state)
  const [days, created] = [readDays(search.days), readDays(search.created)]
  return {
    ...readText(search, 'q', 'provider'),
    ...(state && { state }),
    ...(days && { days }),
    ...(created && { created }),
    ...(search.sort === 'signed in' && { sort: search.sort }),
  }
}
