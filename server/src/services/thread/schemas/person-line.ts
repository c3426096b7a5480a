import { type Static, Type } from 'typebox'
import { Change } from './change.ts'
import { Instant, Nullable } from './parts.ts'
import { RequestSummary } from './request.ts'
import { SessionSummary } from './session.ts'

/** The kinds of what stands on a person's line of time. */
export const personMomentKinds = ['event', 'session', 'request', 'change', 'error', 'mail'] as const
export type PersonMomentKind = (typeof personMomentKinds)[number]

const EventOfPerson = Type.Object({
  event: Type.String(),
  label: Nullable(Type.String(), { description: 'What a click was on, in a person’s words' }),
  path: Nullable(Type.String()),
})

const ErrorOfPerson = Type.Object({ issueId: Type.String(), title: Type.String(), source: Type.String() })

const MailOfPerson = Type.Object({ to: Type.String(), subject: Type.String() })

/** One thing that a person did, or that happened to them; of the members but the first four, those of its kind are there. */
export const PersonMoment = Type.Object(
  {
    kind: Type.Enum([...personMomentKinds]),
    id: Type.String({
      description: 'Of the event, session, request, exception or mail; of a change: unique on the line',
    }),
    at: Instant,
    sessionId: Nullable(Type.String()),
    event: Nullable(EventOfPerson),
    session: Nullable(SessionSummary),
    request: Nullable(RequestSummary, { description: 'Of a change: the request that made it' }),
    change: Nullable(Change),
    error: Nullable(ErrorOfPerson),
    mail: Nullable(MailOfPerson),
  },
  { $id: 'PersonMoment' },
)
export type PersonMoment = Static<typeof PersonMoment>

/** A page of a person's line of time, newest first. */
export const PersonLine = Type.Object({
  moments: Type.Array(PersonMoment),
  next: Nullable(Type.String(), { description: 'Send it as `before` for the next page' }),
})
export type PersonLine = Static<typeof PersonLine>
