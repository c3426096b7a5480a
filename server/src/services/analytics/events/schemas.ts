import { type Static, Type } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'

/** The person behind an event's id. */
const EventPerson = Type.Object({
  id: Type.String(),
  userId: Nullable(Type.String()),
  email: Nullable(Type.String()),
  name: Nullable(Type.String()),
})

/** One line of the list of events. */
export const EventSummary = Type.Object(
  {
    id: Type.String({ description: 'Its instant in milliseconds since 1970 and its uuid, with a dot between' }),
    event: Type.String(),
    label: Nullable(Type.String(), {
      description: 'What a click was on, what an exception says, which flag was asked for',
    }),
    at: Instant,
    distinctId: Type.String(),
    person: Nullable(EventPerson, { description: 'Null: the id has no person' }),
    sessionId: Nullable(Type.String()),
    windowId: Nullable(Type.String()),
    url: Nullable(Type.String()),
    path: Nullable(Type.String()),
    browser: Nullable(Type.String()),
    os: Nullable(Type.String()),
    device: Nullable(Type.String()),
    lib: Nullable(Type.String()),
  },
  { $id: 'EventSummary' },
)
export type EventSummary = Static<typeof EventSummary>

const EventElement = Type.Object({
  tag: Type.String(),
  text: Nullable(Type.String()),
  attributes: Type.Record(Type.String(), Type.String()),
})

/** An event with all that it says. */
export const EventDetail = Type.Object({
  event: EventSummary,
  receivedAt: Instant,
  sentAt: Nullable(Instant, { description: 'By the client’s clock; null: it did not say' }),
  clientTime: Type.String({ format: 'date-time', description: 'By the client’s clock' }),
  properties: Type.Record(Type.String(), Type.Unknown()),
  elements: Type.Array(EventElement, { description: 'What was clicked, and what is around it: innermost first' }),
})
export type EventDetail = Static<typeof EventDetail>

export const eventRanges = ['1h', '24h', '7d', '30d', '90d'] as const
export type EventRange = (typeof eventRanges)[number]

/** What events say, without its values. */
export const EventProperties = Type.Object({
  looked: Type.Integer({ description: 'The events that were looked at' }),
  properties: Type.Array(
    Type.Object({
      name: Type.String(),
      events: Type.Integer({ description: 'Of those looked at, the ones that have it' }),
      column: Nullable(
        Type.Object({
          since: Instant,
          isFilled: Type.Boolean({ description: 'Whether it has the values of all events yet' }),
          bytes: Nullable(Type.Integer(), { description: 'On the disk; null: not known, as of little data' }),
        }),
        { description: 'Its column in ClickHouse, which a property has that is often asked for' },
      ),
    }),
  ),
})
export type EventProperties = Static<typeof EventProperties>
