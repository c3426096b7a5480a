import { readText } from '../../lib/read-search.ts'

export const userStates = ['confirmed', 'unconfirmed', 'banned', 'anonymous', 'deleted'] as const

/** The times of a last sign-in that are asked for, in days. */
export const signInDays = { '1': 'within a day', '7': 'within a week', '30': 'within a month' } as const

/** Which users are listed; every part stands in the URL. */
export interface UsersFilter {
  readonly q?: string
  readonly state?: (typeof userStates)[number]
  readonly provider?: string
  /** A last sign-in within so many days. */
  readonly days?: keyof typeof signInDays
}

/** Reads a link; what it does not understand it leaves out. */
export function readUsersSearch(search: Readonly<Record<string, unknown>>): UsersFilter {
  const state = userStates.find((name) => name === search.state)
  const days = (['1', '7', '30'] as const).find((name) => name === String(search.days))
  return { ...readText(search, 'q'), ...readText(search, 'provider'), ...(state && { state }), ...(days && { days }) }
}
