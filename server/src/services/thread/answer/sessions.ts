import type { RecordingSummary } from '../../../ground/model/recording.ts'
import type { SessionEventSummary } from '../../../ground/model/session-event.ts'
import { groupBy } from '../group-by.ts'
import type { EventsPort, PeoplePort, RecordingsPort, UsersPort } from '../ports.ts'
import type { Links } from '../record/links.ts'
import type { SessionSummary } from '../schemas/session.ts'
import { countErrors } from '../timeline/error-lines.ts'
import { claimOf, type FindKnown, type KnownSession } from './people/evidence.ts'
import type { FindPersons } from './people/person-refs.ts'
import type { SessionPeople, Who } from './people/presence.ts'
import type { ThreadStore } from './store.ts'

export interface SessionsQuery {
  readonly limit: number
  /** ISO instant: only sessions that began before it. */
  readonly before?: string
  /** Part of a person's e-mail or name, or of an address; or exactly a session's, user's or distinct id. */
  readonly q?: string
  readonly live?: boolean
  readonly errors?: boolean
}

export interface SessionsDeps {
  readonly store: ThreadStore
  readonly links: Links
  readonly recordings: RecordingsPort
  readonly events: EventsPort
  readonly users: UsersPort
  readonly people: Pick<PeoplePort, 'distinctIdsMatching'>
  readonly findKnown: FindKnown
  readonly findPersons: FindPersons
  readonly now: () => Date
}

/** A session as its sources know it, put together; what people and users are called is not yet asked. */
type Facts = Omit<SessionSummary, 'person' | 'people' | 'changes'> & {
  readonly distinctId: string
  readonly known: SessionPeople
}

const liveMs = 60_000
/** Sessions that a search may find at most; the newest. */
const searchLimit = 1000
/** Bound values travel in the address, which a server reads to some 16 KiB. */
const idsPerQuestion = 100
/** An application's own ids may be long. */
const distinctIdsPerQuestion = 50
/** Pages read for one answer when a filter leaves little of each. */
const pagesPerAnswer = 8

/** The sessions of all sources: recordings, captured events, requests. */
export function createSessions(deps: SessionsDeps) {
  const { store, recordings, events, links, findKnown, now } = deps

  async function factsOf(ids: readonly string[]): Promise<readonly Facts[]> {
    if (ids.length > idsPerQuestion)
      return [...(await factsOf(ids.slice(0, idsPerQuestion))), ...(await factsOf(ids.slice(idsPerQuestion)))]
    if (ids.length === 0) return []
    const query = { ids, limit: ids.length }
    const [recorded, captured, known] = await Promise.all([
      recordings.sessionSummaries(query),
      events.summaries(query),
      findKnown(ids),
    ])
    const byId = <S extends { readonly sessionId: string }>(list: readonly S[]) =>
      new Map(list.map((summary) => [summary.sessionId, summary]))
    const [r, e] = [byId(recorded), byId(captured)]
    return ids.flatMap((id) => {
      const session = known.get(id)
      return session === undefined ? [] : mergeFacts(id, r.get(id), e.get(id), session, now())
    })
  }

  async function withPeople(facts: readonly Facts[]): Promise<SessionSummary[]> {
    const changes = await changesOf(facts)
    const whos = facts.flatMap(({ distinctId, known }): readonly Who[] => [
      ...known.stretches.map(({ who }) => who),
      { kind: 'visitor', distinctId },
    ])
    const persons = [...(await deps.findPersons(whos))]
    return facts.map(({ distinctId, known, ...rest }) => {
      const startMs = Date.parse(rest.startedAt)
      const people = known.stretches.map(({ fromMs, toMs, windowIds, why }) => ({
        person: persons.shift() ?? null,
        fromMs: Math.max(0, fromMs - startMs),
        toMs: Math.max(0, toMs - startMs),
        windowIds: [...windowIds],
        exact: why === null,
        why,
      }))
      const visitor = persons.shift()
      const named = people.flatMap(({ person }) => person ?? [])
      const first = named.find(({ userId }) => userId !== null) ?? named[0]
      // Where nobody can be named, the browser is, which is no person's.
      const unnamed = { distinctId, personId: null, userId: null, email: null, name: null }
      const person = first ?? (people.length === 0 ? visitor : undefined) ?? unnamed
      return { ...rest, person, people, changes: changes.get(rest.id) ?? 0 }
    })
  }

  /** Rows that the sessions' own requests changed. */
  async function changesOf(facts: readonly Facts[]): Promise<ReadonlyMap<string, number>> {
    const known = new Map(facts.map(({ id, known }) => [id, known]))
    const counts = new Map<string, number>()
    for (const row of await store.changeClaims([...known.keys()])) {
      if (known.get(row.session_id)?.foreignWhy(claimOf(row)) !== null) continue
      counts.set(row.session_id, (counts.get(row.session_id) ?? 0) + Number(row.changes))
    }
    return counts
  }

  /** Sessions that began before `before`, newest first, and where to go on; none is left out between two pages. */
  async function page(
    before: Date | undefined,
    limit: number,
  ): Promise<{ facts: readonly Facts[]; next: Date | null }> {
    const query = { limit: limit * 2, ...(before === undefined ? {} : { startedBefore: before }) }
    const lists = await Promise.all([
      recordings.sessionSummaries(query),
      events.summaries(query),
      store.sessionStarts(query),
    ])
    // A source that gave as many as were asked may know more that began before its last: what is older than that
    // belongs to the next page.
    const horizons = lists.map((list) => (list.length < query.limit ? 0 : (list.at(-1)?.startedAt.getTime() ?? 0)))
    const horizon = Math.max(...horizons)
    const ids = [...new Set(lists.flatMap((list) => list.map(({ sessionId }) => sessionId)))]
    const began = newestFirst(await factsOf(ids)).filter(
      (facts) => before === undefined || Date.parse(facts.startedAt) < before.getTime(),
    )
    const sure = began.filter(({ startedAt }) => Date.parse(startedAt) >= horizon)
    const facts = (sure.length > 0 ? sure : began).slice(0, limit)
    const last = facts.at(-1)
    return {
      facts,
      next: last === undefined || (facts.length === began.length && horizon === 0) ? null : new Date(last.startedAt),
    }
  }

  /** Finds sessions by a text; those that only somebody else's request speaks for are left out. */
  async function search(text: string): Promise<readonly Facts[]> {
    const [users, distinctIds] = await Promise.all([
      deps.users.idsMatching(text, searchLimit),
      deps.people.distinctIdsMatching(text, distinctIdsPerQuestion),
    ])
    const userIds = new Set(isUuidLike(text) ? [...users, text] : users)
    const [ofUsers, ofRequests, ...sure] = await Promise.all([
      links.sessionsOf([...userIds], searchLimit),
      store.claimsMatching(text, searchLimit),
      events.sessionsByUrl(text, searchLimit),
      events.sessionsByDistinctId([...distinctIds, text], searchLimit),
    ])
    const certain = new Set([...(sessionForm.test(text) ? [text] : []), ...sure.flat()])
    const claims = groupBy(ofRequests, (row) => row.session_id)
    const ids = [...new Set([...certain, ...ofUsers, ...claims.keys()])].slice(0, searchLimit)
    return (await factsOf(ids)).filter(
      ({ id, known }) =>
        certain.has(id) ||
        known.stretches.some(({ who }) => who.kind === 'user' && userIds.has(who.userId)) ||
        claims.get(id)?.some((row) => known.foreignWhy(claimOf(row)) === null),
    )
  }

  return {
    async list(query: SessionsQuery): Promise<{ sessions: SessionSummary[]; next: string | null }> {
      const wanted = (facts: Facts): boolean =>
        (query.live !== true || facts.live) && (query.errors !== true || facts.errors > 0)
      const before = query.before === undefined ? undefined : new Date(query.before)
      if (query.q !== undefined && query.q.trim() !== '') {
        const all = newestFirst(await search(query.q.trim())).filter(
          (facts) => wanted(facts) && (before === undefined || Date.parse(facts.startedAt) < before.getTime()),
        )
        const facts = all.slice(0, query.limit)
        return {
          sessions: await withPeople(facts),
          next: all.length > facts.length ? (facts.at(-1)?.startedAt ?? null) : null,
        }
      }
      const kept: Facts[] = []
      let next: Date | null | undefined = before
      for (let read = 0; read < pagesPerAnswer && kept.length < query.limit && next !== null; read += 1) {
        const found: Awaited<ReturnType<typeof page>> = await page(next, query.limit)
        kept.push(...found.facts.filter(wanted))
        next = found.next
      }
      const facts = kept.slice(0, query.limit)
      const cut = kept.length > facts.length ? (facts.at(-1)?.startedAt ?? null) : null
      return { sessions: await withPeople(facts), next: cut ?? next?.toISOString() ?? null }
    },

    /** These sessions, where they exist, by id. */
    async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, SessionSummary>> {
      const sessions = await withPeople(await factsOf([...new Set(ids)]))
      return new Map(sessions.map((session) => [session.id, session]))
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>

const sessionForm = /^[A-Za-z0-9-]{8,70}$/
const isUuidLike = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

const newestFirst = (facts: readonly Facts[]): readonly Facts[] =>
  [...facts].sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt))

function mergeFacts(
  id: string,
  recorded: RecordingSummary | undefined,
  captured: SessionEventSummary | undefined,
  { people, requests }: KnownSession,
  now: Date,
): readonly Facts[] {
  const requested =
    requests === null
      ? undefined
      : { ...requests, startedAt: new Date(requests.startedMs), endedAt: new Date(requests.endedMs) }
  const known = [recorded, captured, requested].filter((summary) => summary !== undefined)
  if (known.length === 0) return []
  const startedMs = Math.min(...known.map(({ startedAt }) => startedAt.getTime()))
  const endedMs = Math.max(startedMs, ...known.map(({ endedAt }) => endedAt.getTime()))
  const seenMs = Math.max(
    recorded?.lastActiveAt.getTime() ?? 0,
    captured?.lastReceivedAt.getTime() ?? 0,
    requested?.endedAt.getTime() ?? 0,
  )
  const quietMs = Math.max(0, now.getTime() - seenMs)
  const captures = captured?.pageviews ?? 0
  return [
    {
      id,
      startedAt: new Date(startedMs).toISOString(),
      endedAt: new Date(endedMs).toISOString(),
      durationMs: endedMs - startedMs,
      activeMs: recorded?.activeMs ?? 0,
      live: quietMs < liveMs,
      quietMs,
      hasRecording: recorded !== undefined,
      distinctId: recorded?.distinctId ?? captured?.distinctId ?? '',
      known: people,
      browser: captured?.browser ?? recorded?.browser ?? null,
      os: captured?.os ?? recorded?.os ?? null,
      device: captured?.device ?? recorded?.device ?? null,
      entryPath: pathOf(captured?.firstUrl ?? recorded?.firstUrl ?? null),
      pages: captures > 0 ? captures : (recorded?.pages ?? 0),
      clicks: recorded?.clicks ?? captured?.autocaptureClicks ?? 0,
      keypresses: recorded?.keypresses ?? 0,
      events: captured?.events ?? 0,
      requests: requested?.requests ?? 0,
      errors: countErrors(recorded?.errorLines ?? [], captured?.exceptionLines ?? [], {
        console: recorded?.consoleErrors ?? 0,
        exceptions: captured?.exceptions ?? 0,
        requests: requested?.errors ?? 0,
      }),
    },
  ]
}

function pathOf(url: string | null): string | null {
  if (url === null || url === '') return null
  return URL.canParse(url) ? new URL(url).pathname : url
}
