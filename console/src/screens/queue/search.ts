import { readNumber } from '../../lib/read-search.ts'

/** Where messages stand. */
export const messageStates = ['visible', 'in flight', 'archived'] as const

/** Where a message stands: to be read, read and not visible again yet, or archived. */
export type MessageState = (typeof messageStates)[number]

/** All that a link to a queue says. */
export interface QueueSearch {
  readonly state?: MessageState
  /** The message that is open in the drawer. */
  readonly open?: number
}

/** Reads a link; what it does not understand it leaves out. */
export function readQueueSearch(search: Readonly<Record<string, unknown>>): QueueSearch {
  const state = messageStates.find((name) => name === search.state)
  return { ...(state && { state }), ...readNumber(search, 'open') }
}
