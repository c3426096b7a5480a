import { type Static, Type } from 'typebox'
import { Instant, Nullable } from './parts.ts'
import { SessionSummary } from './session.ts'

/** What is happening now. */
export const Overview = Type.Object(
  {
    peopleNow: Type.Integer({ description: 'Distinct people seen within five minutes' }),
    requestsPerMinute: Type.Array(
      Type.Object({ minute: Instant, requests: Type.Integer(), errors: Type.Integer(), p95Ms: Type.Number() }),
      { description: 'The last 60 minutes, oldest first, none left out' },
    ),
    requestsLastHour: Type.Integer(),
    errorsLastHour: Type.Integer(),
    changesLastHour: Type.Integer(),
    sessionsToday: Type.Integer(),
    latestSessions: Type.Array(SessionSummary),
    firsts: Type.Object({
      requestAt: Nullable(Instant),
      eventAt: Nullable(Instant),
      recordingAt: Nullable(Instant),
    }),
  },
  { $id: 'Overview' },
)

/** How many there are now: what every screen shows. */
export const Presence = Type.Object(
  {
    peopleNow: Type.Integer({ description: 'Distinct people seen within five minutes' }),
    sessionsToday: Type.Integer(),
  },
  { $id: 'Presence' },
)

/** The last 25 hours, so that the last one can be compared with that of yesterday. */
export const OverviewDay = Type.Object(
  {
    hours: Type.Array(
      Type.Object({
        requests: Type.Integer(),
        errors: Type.Integer(),
        changes: Type.Integer(),
        sessions: Type.Integer({ description: 'That sent events' }),
        people: Type.Integer({ description: 'Browsers that sent events' }),
      }),
      { description: '25, each ending on the minute of now, oldest first, none left out' },
    ),
    yesterday: Type.Object(
      { peopleNow: Type.Integer(), sessionsToday: Type.Integer() },
      { description: 'What the overview said at this time of yesterday' },
    ),
  },
  { $id: 'OverviewDay' },
)

export type Presence = Static<typeof Presence>
export type OverviewDay = Static<typeof OverviewDay>
export type Overview = Static<typeof Overview>
