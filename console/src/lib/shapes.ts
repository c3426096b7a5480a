/** The console API's answers, as the server's OpenAPI document describes them. Instants are ISO 8601 in UTC. */

/** Who was in front of the screen, as far as it is known. */
export interface PersonRef {
  readonly distinctId: string
  readonly personId: string | null
  readonly userId: string | null
  readonly email: string | null
  readonly name: string | null
}

/** One line of the sessions list. */
export interface SessionSummary {
  readonly id: string
  readonly startedAt: string
  readonly endedAt: string
  readonly durationMs: number
  readonly activeMs: number
  readonly live: boolean
  readonly hasRecording: boolean
  readonly person: PersonRef
  readonly browser: string | null
  readonly os: string | null
  readonly device: string | null
  readonly entryPath: string | null
  readonly pages: number
  readonly clicks: number
  readonly keypresses: number
  readonly events: number
  readonly requests: number
  readonly changes: number
  readonly errors: number
}

/** How a request was tied to its session; not exact: probable only, and shown so. */
export interface Link {
  readonly channel: 'header' | 'cookie' | 'learnt'
  readonly exact: boolean
}

/** SQL that ran for a request, with `$n` in place of values. */
export interface Statement {
  readonly text: string
  readonly parameterTypes: readonly string[]
  readonly rows: number | null
  readonly durationMs: number
  readonly startedAt: string
  readonly role: string
  readonly errorCode: string | null
}

/** Column values in PostgreSQL's text form; an absent column is not known. */
export type Values = Readonly<Record<string, string | null>>

/** One row's change. */
export interface Change {
  readonly id: string
  readonly at: string
  readonly schema: string
  readonly table: string
  readonly operation: 'insert' | 'update' | 'delete' | 'truncate'
  readonly key: Values
  readonly old: Values | null
  readonly new: Values | null
  readonly columns: readonly string[]
}

/** A request on a session's timeline, with what it did. */
export interface RequestMoment {
  readonly id: string
  readonly atMs: number
  readonly at: string
  readonly durationMs: number
  readonly service: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly status: number
  readonly errorCode: string | null
  readonly rows: number | null
  readonly windowId: string | null
  readonly link: Link
  readonly statements: readonly Statement[]
  readonly changes: readonly Change[]
}

/** One thing that happened in the browser, with the requests it caused; or a request nobody's click caused. */
export interface Moment {
  readonly id: string
  readonly kind: 'page' | 'click' | 'input' | 'event' | 'console' | 'exception' | 'request' | 'gap'
  readonly atMs: number
  readonly untilMs: number | null
  readonly at: string
  readonly windowId: string | null
  readonly label: string
  readonly level: string | null
  readonly properties: Readonly<Record<string, unknown>> | null
  readonly requests: readonly RequestMoment[]
}

/** How the browser's clock was brought onto the server's. */
export interface Clock {
  readonly offsetMs: number
  readonly spreadMs: number
  readonly samples: number
}

/** A session with its timeline. */
export interface SessionDetail {
  readonly session: SessionSummary
  readonly windows: readonly { readonly id: string; readonly startedMs: number; readonly endedMs: number }[]
  readonly clock: Clock
  readonly moments: readonly Moment[]
  readonly truncated: boolean
}

/** One NDJSON line of a recording. */
export interface RecordingLine {
  readonly windowId: string
  readonly offsetMs: number
  readonly events: readonly unknown[]
}

/** One line of the requests list. */
export interface RequestSummary {
  readonly id: string
  readonly at: string
  readonly durationMs: number
  readonly databaseMs: number
  readonly service: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly status: number
  readonly errorCode: string | null
  readonly rows: number | null
  readonly role: string
  readonly statements: number
  readonly changes: number
  readonly sessionId: string | null
  readonly person: PersonRef | null
}

/** One request with all it did and the doors out of it. */
export interface RequestDetail {
  readonly request: RequestSummary
  readonly requestBytes: number
  readonly responseBytes: number
  readonly remoteAddress: string
  readonly userAgent: string | null
  readonly userId: string | null
  readonly statements: readonly Statement[]
  readonly changes: readonly Change[]
  readonly session: {
    readonly id: string
    readonly atMs: number
    readonly windowId: string | null
    readonly link: Link
    readonly hasRecording: boolean
  } | null
}

/** What made a row's change. */
export type Cause =
  | {
      readonly kind: 'session'
      readonly requestId: string
      readonly method: string
      readonly path: string
      readonly sessionId: string
      readonly atMs: number
      readonly hasRecording: boolean
      readonly exact: boolean
      readonly person: PersonRef
    }
  | {
      readonly kind: 'request'
      readonly requestId: string
      readonly method: string
      readonly path: string
      readonly role: string
      readonly person: PersonRef | null
    }
  | { readonly kind: 'sql' }

/** One change in a row's past and what caused it. */
export interface HistoryEntry {
  readonly change: Change
  readonly cause: Cause
}

/** What Home shows; the last 60 minutes, oldest first, none left out. */
export interface Overview {
  readonly peopleNow: number
  readonly requestsPerMinute: readonly MinuteOfRequests[]
  readonly requestsLastHour: number
  readonly errorsLastHour: number
  readonly changesLastHour: number
  readonly sessionsToday: number
  readonly latestSessions: readonly SessionSummary[]
  readonly firsts: {
    readonly requestAt: string | null
    readonly eventAt: string | null
    readonly recordingAt: string | null
  }
}

/** One minute's requests. */
export interface MinuteOfRequests {
  readonly minute: string
  readonly requests: number
  readonly errors: number
  readonly p95Ms: number
}

/** The running instance: where it is and what to paste. */
export interface Instance {
  readonly project: string
  readonly mode: 'local' | 'production'
  readonly version: string
  readonly apiUrl: string
  readonly inboxUrl: string | null
  readonly dbUrl: string | null
  readonly exampleUrl: string | null
  readonly publishableKey: string
  readonly anonKey: string
  readonly ingestToken: string
  readonly hostname: string
  readonly engines: readonly Engine[]
}

/** One engine's health. */
export interface Engine {
  readonly name: string
  readonly state: 'up' | 'starting' | 'down'
  readonly detail: string
  readonly pid: number | null
}

/** A member of the team. */
export interface Operator {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: string
}

/** Whether the instance has an owner yet. */
export interface Setup {
  readonly state: 'unclaimed' | 'claimed'
  readonly project: string
}

/** A column as the catalogue knows it. */
export interface Column {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly default: string | null
  readonly isKey: boolean
  readonly references: { readonly schema: string; readonly table: string; readonly column: string } | null
}

/** A table or view as the catalogue knows it; `history`: its changes are kept. */
export interface Table {
  readonly schema: string
  readonly name: string
  readonly kind: string
  readonly estimatedRows: number
  readonly key: readonly string[]
  readonly history: boolean
  readonly columns: readonly Column[]
}

/** One row, values in PostgreSQL's text form. */
export interface Row {
  readonly key: Values
  readonly values: Values
}

/** A page of a table's rows. */
export interface RowPage {
  readonly rows: readonly Row[]
  readonly total: number
  readonly totalIsEstimate: boolean
}
