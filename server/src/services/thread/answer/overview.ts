import type { EventsPort, PeoplePort, RecordingsPort } from '../ports.ts'
import { instantOf } from '../record/request-lines.ts'
import type { Overview } from '../schemas/overview.ts'
import type { Sessions } from './sessions.ts'
import type { ThreadStore } from './store.ts'

export interface OverviewDeps {
  readonly store: ThreadStore
  readonly recordings: RecordingsPort
  readonly events: EventsPort
  readonly people: Pick<PeoplePort, 'byDistinctId'>
  readonly sessions: Pick<Sessions, 'list'>
  readonly now: () => Date
  /** Since when what is stored is this instance's own. */
  readonly ownSince: Date
}

const minuteMs = 60_000
const minutesShown = 60
const latest = 8
/** People counted as being here now. */
const presentMs = 5 * minuteMs

/** What is happening now, for the console's first page. */
export function createOverview({ store, recordings, events, people, sessions, now, ownSince }: OverviewDeps) {
  async function peopleNow(since: Date): Promise<number> {
    const [requesters, capturers, recorded] = await Promise.all([
      store.peopleSince(since),
      events.distinctIdsSince(since),
      recordings.distinctIdsSince(since),
    ])
    const distinctIds = [...new Set([...capturers, ...recorded, ...requesters.map(({ distinct_id }) => distinct_id)])]
    const persons = await people.byDistinctId(distinctIds.filter((id) => id !== ''))
    const here = new Set(requesters.flatMap(({ user_id }) => user_id || []))
    const signedIn = new Set(requesters.flatMap(({ distinct_id, user_id }) => (user_id === '' ? [] : distinct_id)))
    // Who signed in at a browser is counted already, and need not be the one it was linked with first.
    for (const id of distinctIds)
      if (id !== '' && !signedIn.has(id)) here.add(persons.get(id)?.userId ?? persons.get(id)?.personId ?? id)
    return here.size
  }

  async function sessionsSince(since: Date): Promise<number> {
    const ids = await Promise.all([
      recordings.sessionIdsSince(since),
      events.sessionIdsSince(since),
      store.sessionIdsSince(since),
    ])
    return new Set(ids.flat()).size
  }

  return {
    async overview(): Promise<Overview> {
      const at = now()
      const thisMinute = Math.floor(at.getTime() / minuteMs) * minuteMs
      const firstMinute = thisMinute - (minutesShown - 1) * minuteMs
      const midnight = new Date(at)
      midnight.setHours(0, 0, 0, 0)
      const [rows, changesLastHour, sessionsToday, present, newest, requestAt, eventAt, recordingAt] =
        await Promise.all([
          store.minutes(new Date(firstMinute)),
          store.changesSince(new Date(at.getTime() - 60 * minuteMs)),
          sessionsSince(midnight),
          peopleNow(new Date(at.getTime() - presentMs)),
          sessions.list({ limit: latest }),
          store.firstRequestAt(ownSince),
          events.firstAt(ownSince),
          recordings.firstAt(ownSince),
        ])
      const byMinute = new Map(rows.map((row) => [instantOf(row.minute).getTime(), row]))
      const requestsPerMinute = Array.from({ length: minutesShown }, (_, index) => {
        const minute = firstMinute + index * minuteMs
        const row = byMinute.get(minute)
        return {
          minute: new Date(minute).toISOString(),
          requests: Number(row?.requests ?? 0),
          errors: Number(row?.errors ?? 0),
          p95Ms: row?.p95 ?? 0,
        }
      })
      return {
        peopleNow: present,
        requestsPerMinute,
        requestsLastHour: requestsPerMinute.reduce((sum, { requests }) => sum + requests, 0),
        errorsLastHour: requestsPerMinute.reduce((sum, { errors }) => sum + errors, 0),
        changesLastHour,
        sessionsToday,
        latestSessions: newest.sessions,
        firsts: {
          requestAt: requestAt === null ? null : instantOf(requestAt).toISOString(),
          eventAt: eventAt?.toISOString() ?? null,
          recordingAt: recordingAt?.toISOString() ?? null,
        },
      }
    },
  }
}
