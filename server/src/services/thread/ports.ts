import type { ChangeGap } from '../../ground/model/change.ts'
import type { RequestAction } from '../../ground/model/operator-actions.ts'
import type { PersonFacts } from '../../ground/model/person.ts'
import type { RecordingOutline, RecordingSummary, WantedMessages } from '../../ground/model/recording.ts'
import type { Send } from '../../ground/model/send.ts'
import type {
  FoundSession,
  SeenFlag,
  SessionSign,
  SessionStart,
  SessionStartsQuery,
} from '../../ground/model/session.ts'
import type { SessionEvent, SessionEventSummary } from '../../ground/model/session-event.ts'
import type { SqlFragment } from '../../ground/sql/sql.ts'
import type { ServerLogsPage, ServerLogsQuery, ServerTraces } from '../../ground/traces/server-trace.ts'

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
  /** Recorded sessions, latest beginning first. */
  starts(query: SessionStartsQuery): Promise<readonly SessionStart[]>
  sessionSummaries(ids: readonly string[]): Promise<readonly RecordingSummary[]>
  signs(sessionIds: readonly string[]): Promise<readonly SessionSign[]>
  /** JSON of a `StoredMessage` each, ordered by window and time, each message once. */
  messages(
    sessionId: string,
    options: WantedMessages & { readonly offsetMs: number; readonly signal?: AbortSignal | undefined },
  ): AsyncIterable<string>
  /** What a session's messages are, without their events; null without a recording. */
  outline(sessionId: string): Promise<RecordingOutline | null>
  /** JSON of the `StoredMessage` with which a picture of the page begins, the first; null where there is none. */
  picture(sessionId: string): Promise<string | null>
  /** A session's messages as lines of a file, a `MessageLineHead` with its events each; each message once. */
  fileLines(
    sessionId: string,
    options: { readonly offsetMs: number; readonly signal?: AbortSignal | undefined },
  ): AsyncIterable<string>
  /** (arrival − sent) of the session's messages, in milliseconds; null without a recording. */
  offsets(sessionId: string): Promise<readonly number[] | null>
  sessionIdsSince(since: Date, until?: Date): Promise<readonly string[]>
  /** Ids of the people who did something in a recorded page. */
  distinctIdsSince(since: Date, until?: Date): Promise<readonly string[]>
  /** When the first one since a moment arrived. */
  firstAt(since: Date): Promise<Date | null>
}

/** The captured events, as the thread needs them. */
export interface EventsPort {
  /** By time, oldest first. */
  ofSession(sessionId: string, limit: number): Promise<readonly SessionEvent[]>
  /** The smallest (arrival − sent) of a session's events, in milliseconds; null where none says when it was sent. */
  offsetMs(sessionId: string): Promise<number | null>
  /** Sessions that sent events, latest beginning first. */
  starts(query: SessionStartsQuery): Promise<readonly SessionStart[]>
  /** Those of the sessions in which a visitor was shown the flag. */
  sessionsWithFlag(ids: readonly string[], flag: SeenFlag): Promise<readonly string[]>
  summaries(ids: readonly string[]): Promise<readonly SessionEventSummary[]>
  signs(sessionIds: readonly string[]): Promise<readonly SessionSign[]>
  /** What these ids did up to an instant, newest first; exceptions are left out. */
  ofPerson(distinctIds: readonly string[], until: Date, limit: number): Promise<readonly EventOfPerson[]>
  /** Sessions of these ids that began up to an instant, newest first. */
  sessionStarts(
    distinctIds: readonly string[],
    until: Date,
    limit: number,
  ): Promise<readonly { readonly sessionId: string; readonly startedAt: Date }[]>
  /** Sessions, newest first, in which a page's address contains `text`. */
  sessionsByUrl(text: string, limit: number): Promise<readonly FoundSession[]>
  /** Sessions, newest first, in which one of these ids was seen. */
  sessionsByDistinctId(distinctIds: readonly string[], limit: number): Promise<readonly FoundSession[]>
  /** By when events happened, not by when they arrived. */
  sessionIdsSince(since: Date, until?: Date): Promise<readonly string[]>
  distinctIdsSince(since: Date, until?: Date): Promise<readonly string[]>
  /** Sessions and browsers with events, by the hours before an instant; without hours that had none. */
  visitorHours(
    until: Date,
    hours: number,
  ): Promise<readonly { readonly ago: number; readonly sessions: number; readonly people: number }[]>
  /** When the first one since a moment arrived. */
  firstAt(since: Date): Promise<Date | null>
}

/** The persons, as the thread needs them. */
export interface PeoplePort {
  byDistinctId(distinctIds: readonly string[]): Promise<ReadonlyMap<string, PersonFacts>>
  /** By the auth user that the person is linked with. */
  byUserId(userIds: readonly string[]): Promise<ReadonlyMap<string, PersonFacts>>
  /** Ids of persons in whose e-mail or name a word begins with each word of `text`. */
  distinctIdsMatching(text: string, limit: number): Promise<readonly string[]>
  /** A person's ids, the first fifty by name; null where there is no such person. */
  idsOf(
    personId: string,
  ): Promise<(Pick<PersonIds, 'distinctIds' | 'userId'> & { readonly email: string | null }) | null>
  /** Sign-in identifies: this distinct id's person is this user. Called after every such request, so cheap where nothing is new. */
  linkUser(link: { readonly distinctId: string; readonly userId: string; readonly at: Date }): Promise<unknown>
}

/** An event on the line of a person. */
export interface EventOfPerson {
  /** Its instant in milliseconds and its uuid, with a dot between. */
  readonly id: string
  readonly event: string
  /** What a click was on; null for other events. */
  readonly label: string | null
  /** ISO 8601. */
  readonly at: string
  readonly sessionId: string | null
  readonly path: string | null
}

/** By what a person is found in all that is stored. */
export interface PersonIds {
  readonly personId: string
  readonly distinctIds: readonly string[]
  readonly userId: string | null
  /** In lower case. */
  readonly emails: readonly string[]
}

/** The errors of the application, as the thread needs them. */
export interface ErrorsPort {
  /** Exceptions that a person met up to an instant, newest first. */
  ofPerson(
    person: Pick<PersonIds, 'distinctIds' | 'userId'>,
    until: Date,
    limit: number,
  ): Promise<
    readonly {
      readonly id: string
      readonly at: Date
      readonly issueId: string
      readonly title: string
      readonly source: string
      readonly sessionId: string | null
    }[]
  >
  /** The groups of the exceptions that were captured in a session, by the ids of their events. */
  ofSession(sessionId: string, limit: number): Promise<ReadonlyMap<string, string>>
}

/** The inbox, as the thread needs it. */
export interface MailsPort {
  /** Mails to these addresses, in lower case, up to an instant, newest first. */
  to(
    addresses: readonly string[],
    until: Date,
    limit: number,
  ): Promise<readonly { readonly id: string; readonly at: Date; readonly to: string; readonly subject: string }[]>
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

/** The webhooks and requests from SQL, as the thread needs them. */
export interface SendsPort {
  /** Those that these requests, or runs of jobs, asked for, in their order. */
  of(causeIds: readonly string[]): Promise<readonly Send[]>
}

/** The audit log of the console, as the thread needs it. */
export interface OperatorsPort {
  /** What requests of the console were made for, by their ids; without those that are none. */
  actionsOf(requestIds: readonly string[]): Promise<ReadonlyMap<string, RequestAction>>
}

/** Spans and log records of the team's own servers, as the thread needs them. */
export interface TracesPort {
  find(question: {
    /** A question of ClickHouse for the ids of traces, in one column. */
    readonly traceIds: SqlFragment
    /** Besides, what names this recorded session, and the traces in which it is named. */
    readonly sessionId: string | null
  }): Promise<ServerTraces>
  /** Log records, newest first, whether they belong to a trace or session or to none. */
  logs(query: ServerLogsQuery): Promise<ServerLogsPage>
  /** The names of the services that logged. */
  loggers(): Promise<readonly string[]>
}
