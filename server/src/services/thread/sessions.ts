import type { Links } from './links.ts'
import type { FindPersons } from './person-refs.ts'
import type { EventsPort, EventsSummary, PeoplePort, RecordingSummary, RecordingsPort, UsersPort } from './ports.ts'
import type { SessionSummary } from './shapes.ts'
import type { RequestsSummary, ThreadStore } from './store.ts'

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
  readonly findPersons: FindPersons
  readonly now: () => Date
}

/** A session as its sources know it, put together; who it was is not yet asked. */
type Facts = Omit<SessionSummary, 'person' | 'changes'> & { readonly distinctId: string }

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
  const { store, recordings, events, links, now } = deps

  async function factsOf(ids: readonly string[]): Promise<readonly Facts[]> {
    if (ids.length > idsPerQuestion)
      return [...(await factsOf(ids.slice(0, idsPerQuestion))), ...(await factsOf(ids.slice(idsPerQuestion)))]
    if (ids.length === 0) return []
    const query = { ids, limit: ids.length }
    const [recorded, captured, requested] = await Promise.all([
      recordings.sessionSummaries(query),
      events.summaries(query),
      store.sessionSummaries(query),
    ])
    const byId = <S extends { readonly sessionId: string }>(list: readonly S[]) =>
      new Map(list.map((summary) => [summary.sessionId, summary]))
    const [r, e, q] = [byId(recorded), byId(captured), byId(requested)]
    return ids.flatMap((id) => mergeFacts(id, r.get(id), e.get(id), q.get(id), now()))
  }

  async function withPeople(facts: readonly Facts[]): Promise<SessionSummary[]> {
    const ids = facts.map(({ id }) => id)
    const [users, changes] = await Promise.all([links.usersOf(ids), store.changeCountsOfSessions(ids)])
    const persons = await deps.findPersons(
      facts.map(({ id, distinctId }) => ({ distinctId, userId: users.get(id) ?? null })),
    )
    return facts.flatMap(({ distinctId: _, ...rest }, index) => {
      const person = persons[index]
      return person === undefined ? [] : [{ ...rest, person, changes: changes.get(rest.id) ?? 0 }]
    })
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
      store.sessionSummaries(query),
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

  async function search(text: string): Promise<readonly string[]> {
    const [users, distinctIds] = await Promise.all([
      deps.users.idsMatching(text, searchLimit),
      deps.people.distinctIdsMatching(text, distinctIdsPerQuestion),
    ])
    const userIds = isUuidLike(text) ? [...users, text] : users
    const found = await Promise.all([
      links.sessionsOf(userIds, searchLimit),
      store.sessionsMatching(text, searchLimit),
      events.sessionsByUrl(text, searchLimit),
      events.sessionsByDistinctId([...distinctIds, text], searchLimit),
    ])
    return [...new Set([...(sessionForm.test(text) ? [text] : []), ...found.flat()])].slice(0, searchLimit)
  }

  return {
    async list(query: SessionsQuery): Promise<{ sessions: SessionSummary[]; next: string | null }> {
      const wanted = (facts: Facts): boolean =>
        (query.live !== true || facts.live) && (query.errors !== true || facts.errors > 0)
      const before = query.before === undefined ? undefined : new Date(query.before)
      if (query.q !== undefined && query.q.trim() !== '') {
        const all = newestFirst(await factsOf(await search(query.q.trim()))).filter(
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
  captured: EventsSummary | undefined,
  requested: RequestsSummary | undefined,
  now: Date,
): readonly Facts[] {
  const known = [recorded, captured, requested].filter((summary) => summary !== undefined)
  if (known.length === 0) return []
  const startedMs = Math.min(...known.map(({ startedAt }) => startedAt.getTime()))
  const endedMs = Math.max(startedMs, ...known.map(({ endedAt }) => endedAt.getTime()))
  const seenMs = Math.max(
    recorded?.lastReceivedAt.getTime() ?? 0,
    captured?.lastReceivedAt.getTime() ?? 0,
    requested?.endedAt.getTime() ?? 0,
  )
  const captures = captured?.pageviews ?? 0
  return [
    {
      id,
      startedAt: new Date(startedMs).toISOString(),
      endedAt: new Date(endedMs).toISOString(),
      durationMs: endedMs - startedMs,
      activeMs: recorded?.activeMs ?? 0,
      live: now.getTime() - seenMs < liveMs,
      hasRecording: recorded !== undefined,
      distinctId: known.map(({ distinctId }) => distinctId).find((distinctId) => distinctId !== '') ?? '',
      browser: captured?.browser ?? recorded?.browser ?? null,
      os: captured?.os ?? recorded?.os ?? null,
      device: captured?.device ?? recorded?.device ?? null,
      entryPath: pathOf(captured?.firstUrl ?? recorded?.firstUrl ?? null),
      pages: captures > 0 ? captures : (recorded?.pages ?? 0),
      clicks: recorded?.clicks ?? captured?.autocaptureClicks ?? 0,
      keypresses: recorded?.keypresses ?? 0,
      events: captured?.events ?? 0,
      requests: requested?.requests ?? 0,
      errors: (recorded?.consoleErrors ?? 0) + (captured?.exceptions ?? 0) + (requested?.errors ?? 0),
    },
  ]
}

function pathOf(url: string | null): string | null {
  if (url === null || url === '') return null
  return URL.canParse(url) ? new URL(url).pathname : url
}
