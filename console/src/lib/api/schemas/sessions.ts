import type { Answer, Schemas } from './answer.ts'

/** The person in front of the screen, as far as is known. */
export type PersonRef = Schemas['PersonRef']

/** A part of a session that was one person's. */
export type SessionPerson = Schemas['SessionPerson']

/** One line of the sessions list. */
export type SessionSummary = Schemas['SessionSummary']

/** A filter of the list of sessions under a name. */
export type SessionView = Schemas['SessionView']

/** What an operator wrote at a moment of a session. */
export type Note = Schemas['Note']

/** A setting of what browsers send: what holds, and where it is said. */
export type CaptureSetting = Schemas['CaptureSetting']

/** A link that shows a session to a person without an account. */
export type Share = Schemas['Share']

/** A message that a socket of a session sent or received. */
export type Frame = Schemas['Frame']

/** A session that a request or a message reached by a socket. */
export type Reached = Schemas['Reached']

/** How a request was tied to its session; not exact: probable only, and shown so. */
export type Link = Schemas['Link']

/** One thing that happened in the browser, with the requests it caused; or a request that no click caused. */
export type Moment = Schemas['Moment']

/** How the browser's clock was brought onto the server's. */
export type Clock = Schemas['Clock']

/** A session with its timeline. */
export type SessionDetail = Answer<'session'>

/** One NDJSON line of a recording; the document describes no streams. */
export interface RecordingLine {
  readonly windowId: string
  /** To be added to each event's timestamp for the server's clock. */
  readonly offsetMs: number
  readonly events: readonly unknown[]
}

/** A request on a session's timeline, with what it did. */
export type RequestMoment = Schemas['RequestMoment']
