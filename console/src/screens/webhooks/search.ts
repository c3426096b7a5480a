import { readNumber, readText } from '../../lib/read-search.ts'

const tabs = ['hooks', 'deliveries', 'requests'] as const
const states = ['waiting', 'sending', 'delivered', 'failed'] as const

/** The parts of the screen. */
export type WebhooksTab = (typeof tabs)[number]

/** The states of a delivery. */
export type DeliveryState = (typeof states)[number]

/** All that a link to the webhooks says. */
export interface WebhooksSearch {
  readonly tab?: WebhooksTab
  readonly state?: DeliveryState
  /** Deliveries of one webhook: its table's schema, its table, its name. */
  readonly schema?: string
  readonly table?: string
  readonly hook?: string
  /** The delivery or the request that is open in the drawer. */
  readonly open?: number
}

/** Reads a link; what it does not understand it leaves out. */
export function readWebhooksSearch(search: Readonly<Record<string, unknown>>): WebhooksSearch {
  const tab = tabs.find((name) => name === search.tab)
  const state = states.find((name) => name === search.state)
  return {
    ...(tab && { tab }),
    ...(state && { state }),
    ...readText(search, 'schema', 'table', 'hook'),
    ...readNumber(search, 'open'),
  }
}
