import type { EventsPort, PeoplePort, RecordingsPort } from '../ports.ts'
import { instantOf } from '../record/request-lines.ts'
import type { Overview, OverviewDay, Presence } from '../schemas/overview.ts'
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
const dayMs = 24 * 60 * minuteMs
const minutesShown = 60
const latest = 8
/** A day and the hour before it. */
const hoursShown = 25
const always = new Date(0)
/** People counted as being here now. */
const presentMs = 5 * minuteMs

/** Who was here, and in how many sessions, from an instant on, up to another or to now. */
function createCounts({
  store,
  recordings,
  events,
  people,
  now,
}: Pick<OverviewDeps, 'store' | 'recordings' | 'events' | 'people' | 'now'>) {
  async function countPeople(since: Date, until?: Date): Promise<number> {
    const [requesters, capturers, recorded] = await Promise.all([
      store.peopleSince(since, until),
      // By a clock that is ahead, events may be of the future.
      events.distinctIdsSince(since, until ?? now()),
      recordings.distinctIdsSince(since, until),
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

  async function countSessions(since: Date, until?: Date): Promise<number> {
    const ids = await Promise.all([
      recordings.sessionIdsSince(since, until),
      events.sessionIdsSince(since, until ?? now()),
      store.sessionIdsSince(since, until),
    ])
    return new Set(ids.flat()).size
  }

  return { countPeople, countSessions }
}

/** What is happening now, for the console's first page. */
export function createOverview(deps: OverviewDeps) {
  const { store, recordings, events, sessions, now, ownSince } = deps
  const { countPeople, countSessions } = createCounts(deps)
  const sessionsSince = createKept(now, (since) => countSessions(since))
  const peopleAt = (at: Date): Promise<number> => countPeople(new Date(at.getTime() - presentMs))
  const presence = createKept(now, async () => {
    const at = now()
    const [peopleNow, sessionsToday] = await Promise.all([peopleAt(at), sessionsSince(midnightOf(at))])
    return { peopleNow, sessionsToday }
  })

  const day = createKept(now, async () => {
    const at = now()
    const dayAgo = new Date(at.getTime() - dayMs)
    const [hours, peopleNow, sessionsToday] = await Promise.all([
      countHours({ store, events }, at),
      countPeople(new Date(dayAgo.getTime() - presentMs), dayAgo),
      countSessions(midnightOf(dayAgo), dayAgo),
    ])
    return { hours, yesterday: { peopleNow, sessionsToday } }
  })
  const firsts = createFirsts({ store, events, recordings, ownSince })

  return {
    /** The last day by the hour, at most a minute old. */
    day: (): Promise<OverviewDay> => day(always),
    presence: (): Promise<Presence> => presence(always),
    async overview(): Promise<Overview> {
      const at = now()
      const thisMinute = Math.floor(at.getTime() / minuteMs) * minuteMs
      const firstMinute = thisMinute - (minutesShown - 1) * minuteMs
      const [rows, changesLastHour, sessionsToday, present, newest, first] = await Promise.all([
        store.minutes(new Date(firstMinute)),
        store.changesSince(new Date(at.getTime() - 60 * minuteMs)),
        sessionsSince(midnightOf(at)),
        peopleAt(at),
        sessions.list({ limit: latest }),
        firsts(),
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
        firsts: first,
      }
    },
  }
}

/** When a day began, by this machine's clock. */
function midnightOf(at: Date): Date {
  const midnight = new Date(at)
  midnight.setHours(0, 0, 0, 0)
  return midnight
}

/** The hours up to an instant, each with what it had. */
async function countHours(
  { store, events }: Pick<OverviewDeps, 'store' | 'events'>,
  until: Date,
): Promise<OverviewDay['hours']> {
  const [requests, changes, visitors] = await Promise.all([
    store.hours(until, hoursShown),
    store.changeHours(until, hoursShown),
    events.visitorHours(until, hoursShown),
  ])
  const requestsAgo = new Map(requests.map((row) => [row.ago, row]))
  const changesAgo = new Map(changes.map((row) => [row.ago, Number(row.changes)]))
  const visitorsAgo = new Map(visitors.map((row) => [row.ago, row]))
  return Array.from({ length: hoursShown }, (_, index) => {
    const ago = hoursShown - 1 - index
    const row = requestsAgo.get(ago)
    return {
      requests: Number(row?.requests ?? 0),
      errors: Number(row?.errors ?? 0),
      changes: changesAgo.get(ago) ?? 0,
      sessions: visitorsAgo.get(ago)?.sessions ?? 0,
      people: visitorsAgo.get(ago)?.people ?? 0,
    }
  })
}

/** Of what an answer takes, so many times as long it is kept. */
const keptFor = 20
const keptMsMost = minuteMs

/**
 * What is counted of all of a day, and asked for again and again: what it took decides how long it is kept, so that a
 * quick one is of this moment, and a slow one takes a twentieth of the time at most.
 */
function createKept<Count>(now: () => Date, count: (since: Date) => Promise<Count>): (since: Date) => Promise<Count> {
  let kept: { readonly since: number; readonly count: Count; readonly untilMs: number } | null = null
  return async (since) => {
    const startMs = now().getTime()
    if (kept !== null && kept.since === since.getTime() && startMs < kept.untilMs) return kept.count
    const found = await count(since)
    const endMs = now().getTime()
    kept = { since: since.getTime(), count: found, untilMs: endMs + Math.min(keptMsMost, (endMs - startMs) * keptFor) }
    return found
  }
}

/** When the first of each kind came; what was found once is not looked for again. */
function createFirsts({
  store,
  events,
  recordings,
  ownSince,
}: Pick<OverviewDeps, 'store' | 'events' | 'recordings' | 'ownSince'>): () => Promise<Overview['firsts']> {
  let found: Overview['firsts'] = { requestAt: null, eventAt: null, recordingAt: null }
  return async () => {
    const isoOf = (at: Date | null): string | null => at?.toISOString() ?? null
    const [requestAt, eventAt, recordingAt] = await Promise.all([
      found.requestAt ?? store.firstRequestAt(ownSince).then((time) => isoOf(time === null ? null : instantOf(time))),
      found.eventAt ?? events.firstAt(ownSince).then(isoOf),
      found.recordingAt ?? recordings.firstAt(ownSince).then(isoOf),
    ])
    found = { requestAt, eventAt, recordingAt }
    return found
  }
}
