import type { JsonObject } from '../json/object.ts'

/** What happened within a span, an exception above all. */
export interface ServerSpanEvent {
  readonly at: Date
  readonly name: string
  readonly attributes: JsonObject
}

/** A span of one of the team's own servers, on that server's clock. */
export interface ServerSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  /** Milliseconds since 1970, with their parts to a microsecond. */
  readonly startMs: number
  readonly durationMs: number
  readonly name: string
  readonly kind: 'unspecified' | 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  /** `service.name`; empty where it is not told. */
  readonly service: string
  readonly scope: string
  readonly status: 'unset' | 'ok' | 'error'
  readonly statusMessage: string
  /** The recorded session that it names itself; null where it names none. */
  readonly sessionId: string | null
  readonly attributes: JsonObject
  readonly resource: JsonObject
  readonly events: readonly ServerSpanEvent[]
  /** Attributes, events and links that were left out. */
  readonly dropped: number
}

/** The levels of log records, the least severe first. */
export const serverLogLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type ServerLogLevel = (typeof serverLogLevels)[number]

/** A log record of one of the team's own servers. */
export interface ServerLog {
  readonly id: string
  readonly at: Date
  readonly traceId: string | null
  readonly spanId: string | null
  readonly sessionId: string | null
  readonly service: string
  readonly scope: string
  readonly level: ServerLogLevel
  readonly eventName: string
  readonly text: string
  readonly attributes: JsonObject
}

/** Which log records are asked for. */
export interface ServerLogsQuery {
  readonly service: string | null
  /** The least severe level that is asked for. */
  readonly level: ServerLogLevel | null
  /** Part of the text, in any case, or a trace's id. */
  readonly q: string | null
  /** `next` of the page before. */
  readonly before: string | null
  readonly limit: number
}

/** Log records, the newest first. */
export interface ServerLogsPage {
  readonly logs: readonly ServerLog[]
  /** Where the next page begins; null where there is none. */
  readonly next: string | null
}

/** What servers told of some traces, oldest first. */
export interface ServerTraces {
  readonly spans: readonly ServerSpan[]
  readonly logs: readonly ServerLog[]
  /** Whether there are more than are here. */
  readonly isCut: boolean
}
