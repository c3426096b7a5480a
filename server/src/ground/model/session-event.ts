import type { ErrorLine, SessionSign } from './session.ts'

/** A captured event on a session's timeline. */
export interface SessionEvent {
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
  readonly windowId: string | null
  /** On the browser's clock; a session's offset turns it into the server's. */
  readonly clientTime: Date
  /** When the client sent it, on its clock; null when it did not say. */
  readonly sentAt: Date | null
  /** On the server's clock. */
  readonly receivedAt: Date
  readonly currentUrl: string | null
  readonly elementsChain: string
  /** What the event itself says; the client's description of itself and its page is left out. */
  readonly properties: Readonly<Record<string, unknown>>
}

/** What a session's events say of it, whether or not it was recorded. Instants are on the server's clock. */
export interface SessionEventSummary {
  readonly sessionId: string
  /** Of its latest event. */
  readonly distinctId: string
  readonly startedAt: Date
  readonly endedAt: Date
  readonly lastReceivedAt: Date
  readonly events: number
  readonly pageviews: number
  readonly autocaptureClicks: number
  readonly exceptions: number
  /** The first of them. */
  readonly exceptionLines: readonly ErrorLine[]
  /** Address of the first page. */
  readonly firstUrl: string | null
  readonly browser: string | null
  readonly os: string | null
  /** Desktop, Mobile or Tablet. */
  readonly device: string | null
  /** Of the latest event with one: ISO 3166-1, two letters. */
  readonly countryCode: string | null
  readonly city: string | null
  /** Who sent them, by tab and id of the browser. */
  readonly signs: readonly SessionSign[]
}
