import type { JsonObject } from '../json/object.ts'

/** Properties that name what is deployed, by clients and by teams; the first that is there counts. */
export const releaseProperties = ['$release', '$exception_release', '$app_version', '$release_id'] as const

/** Whether a property of a captured exception is kept with it. */
export const isExceptionProperty = (name: string): boolean =>
  name.startsWith('$exception_') || releaseProperties.some((each) => each === name)

/** An exception on its way to the errors: what of it is known, and what was sent of it. */
export interface ExceptionRecord {
  /** Of the event, the request or the log line: one exception comes with one id, however often it comes. */
  readonly id: string
  /** `browser` and `server` are what a client captured; else the service that failed: `function`, `rest`, `auth`. */
  readonly source: string
  /** On our clock, milliseconds since 1970. */
  readonly timeMs: number
  /** On the client's clock: it stays when the event is sent again. */
  readonly clientTimeMs: number
  readonly receivedAtMs: number
  /** Texts that are not known are empty. */
  readonly sessionId: string
  readonly windowId: string
  readonly distinctId: string
  readonly userId: string
  readonly requestId: string
  /** The page, or what was asked for. */
  readonly url: string
  readonly browser: string
  readonly os: string
  /** The `$exception_…` properties, and those that name the release. */
  readonly properties: JsonObject
}
