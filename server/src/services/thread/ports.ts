import type { ChangeGap } from '../../ground/model/change.ts'

/** A page of sessions, newest start first; with `ids`, exactly these where they exist. */
export interface SessionQuery {
  readonly ids?: readonly string[]
  /** Only sessions that began before this instant on the server's clock. */
  readonly startedBefore?: Date
  readonly limit: number
}

/** An error that a console showed, or that was captured as an exception. */
export interface ErrorLine {
  readonly windowId: string | null
  /** On the browser's clock. */
  readonly clientMs: number
  readonly text: string
}

/** What the recordings know of one session. Instants are on the server's clock, corrected by the smallest offset. */
export interface RecordingSummary {
  readonly sessionId: string
  readonly distinctId: string
  readonly startedAt: Date
  readonly endedAt: Date
  /** When somebody last did something in the page, at the earliest when it was opened. */
  readonly lastActiveAt: Date
  readonly activeMs: number
  readonly pages: number
  readonly clicks: number
  readonly keypresses: number
  readonly consoleErrors: number
  /** The first of them. */
  readonly errorLines: readonly ErrorLine[]
  readonly firstUrl: string | null
  readonly browser: string | null
  readonly os: string | null
  readonly device: string | null
}

/** What a recording or events say of one tab of a session, and of one id of the browser. */
export interface SessionSign {
  readonly sessionId: string
  readonly windowId: string | null
  readonly distinctId: string
  /** As the browser names itself; null where it did not say. */
  readonly userAgent: string | null
  /** On the server's clock. */
  readonly from: Date
  readonly to: Date
}

/** A stored message of a recording: rrweb events as received, some fields perhaps still compressed (`cv`). */
export interface RecordedMessage {
  readonly windowId: string
  readonly offsetMs: number
  readonly events: readonly unknown[]
}

/** How far the browser's clock stands from the server's. */
export interface ClockEstimate {
  /** Added to the browser's times: the smallest (arrival − sent) seen. */
  readonly offsetMs: number
  /** How much more the quickest tenth of the messages took: how far a time may be off. */
  readonly spreadMs: number
  readonly samples: number
}

/** The recordings, as the thread needs them. */
export interface RecordingsPort {
  sessionSummaries(query: SessionQuery): Promise<readonly RecordingSummary[]>
  signs(sessionIds: readonly string[]): Promise<readonly SessionSign[]>
  /** Ordered by window and time, each message once. */
  lines(sessionId: string, signal?: AbortSignal): AsyncIterable<RecordedMessage>
  /** (arrival − sent) of the session's messages, in milliseconds; null without a recording. */
  offsets(sessionId: string): Promise<readonly number[] | null>
  sessionIdsSince(since: Date): Promise<readonly string[]>
  /** Ids of the people who did something in a recorded page. */
  distinctIdsSince(since: Date): Promise<readonly string[]>
  /** When the first one since a moment arrived. */
  firstAt(since: Date): Promise<Date | null>
}

/** A captured event of a session. */
export interface SessionEvent {
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
  readonly windowId: string | null
  /** The browser's own time of the event. */
  readonly clientTime: Date
  readonly sentAt: Date | null
  readonly receivedAt: Date
  readonly currentUrl: string | null
  readonly elementsChain: string
  readonly properties: Readonly<Record<string, unknown>>
}

/** What the captured events know of one session. Instants are on the server's clock. */
export interface EventsSummary {
  readonly sessionId: string
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
  readonly firstUrl: string | null
  readonly browser: string | null
  readonly os: string | null
  readonly device: string | null
}

/** The captured events, as the thread needs them. */
export interface EventsPort {
  /** By time, oldest first. */
  ofSession(sessionId: string, limit: number): Promise<readonly SessionEvent[]>
  summaries(query: SessionQuery): Promise<readonly EventsSummary[]>
  signs(sessionIds: readonly string[]): Promise<readonly SessionSign[]>
  /** Sessions, newest first, in which a page's address contains `text`. */
  sessionsByUrl(text: string, limit: number): Promise<readonly string[]>
  /** Sessions, newest first, in which one of these ids was seen. */
  sessionsByDistinctId(distinctIds: readonly string[], limit: number): Promise<readonly string[]>
  sessionIdsSince(since: Date): Promise<readonly string[]>
  distinctIdsSince(since: Date): Promise<readonly string[]>
  /** When the first one since a moment arrived. */
  firstAt(since: Date): Promise<Date | null>
}

/** What analytics knows of the person behind a distinct id. */
export interface PersonFacts {
  readonly personId: string
  /** The auth user linked with the person, if any. */
  readonly userId: string | null
  readonly email: string | null
  readonly name: string | null
}

/** The persons, as the thread needs them. */
export interface PeoplePort {
  byDistinctId(distinctIds: readonly string[]): Promise<ReadonlyMap<string, PersonFacts>>
  /** By the auth user that the person is linked with. */
  byUserId(userIds: readonly string[]): Promise<ReadonlyMap<string, PersonFacts>>
  /** Ids of persons whose e-mail or name contains `text`, in any case. */
  distinctIdsMatching(text: string, limit: number): Promise<readonly string[]>
  /** Sign-in identifies: this distinct id's person is this user. Called again after a failure; must bear repetition. */
  linkUser(link: { readonly distinctId: string; readonly userId: string; readonly at: Date }): Promise<unknown>
}

/** What auth knows of one of its users. */
export interface UserFacts {
  readonly email: string | null
  readonly name: string | null
}

/** The auth users, as the thread needs them. */
export interface UsersPort {
  byId(userIds: readonly string[]): Promise<ReadonlyMap<string, UserFacts>>
  /** Users whose e-mail or name contains `text`, in any case. */
  idsMatching(text: string, limit: number): Promise<readonly string[]>
}

/** What is known of the change stream that fills the histories. */
export interface ChangesPort {
  /** What was never read, oldest first. */
  gaps(): Promise<readonly ChangeGap[]>
  /** Why row changes are not recorded here, in a sentence; null where they are. */
  notRecorded(): string | null
}
