import type { SessionStartsQuery } from '../../../ground/model/session.ts'
import { groupBy } from '../group-by.ts'
import type { EventsPort, PeoplePort, RecordingsPort, UsersPort } from '../ports.ts'
import type { Links } from '../record/links.ts'
import type { SessionSummary } from '../schemas/session.ts'
import { claimOf, type FindKnown } from './people/evidence.ts'
import type { FindPersons } from './people/person-refs.ts'
import type { Who } from './people/presence.ts'
import type { RequestCondition } from './queries/request-condition.ts'
import { readDeeds } from './session-deeds.ts'
import { liveMs, mergeFacts, newestFirst, type SessionFacts } from './session-facts.ts'
import { fitsFilter, requestConditionOf, type SessionFilter } from './session-filter.ts'
import { saySession } from './session-sentence.ts'
import type { ThreadStore } from './store.ts'

export interface SessionsQuery extends SessionFilter {
  readonly limit: number
  /** ISO instant: only sessions that began before it. */
  readonly before?: string
  /** Part of a person's e-mail or name, or of an address; or exactly a session's, user's or distinct id. */
  readonly q?: string
  /** Whether keys of rows are told. */
  readonly showsKeys?: boolean
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
  /** Most sessions that a search finds. */
  readonly searchLimit: number
}

/** Bound values travel in the address, which a server reads to some 16 KiB. */
const idsPerQuestion = 100
/** An application's own ids may be long. */
const distinctIdsPerQuestion = 50
/** Pages read for one answer when a filter leaves little of each. */
const pagesPerAnswer = 8
const mostOfPage = 200
/** How much later a session's start may be to the source that proposes it than to the one that saw it first. */
const laterStartMs = 10 * 60_000
const sessionsInMargin = 100
/** A client's clock may be ahead. */
const farFuture = new Date('2200-01-01T00:00:00Z')

/** Reads sessions from all sources: recordings, captured events, requests. */
export function createSessions(deps: SessionsDeps) {
  return {
    async list(query: SessionsQuery): Promise<{ sessions: SessionSummary[]; next: string | null }> {
      const wanted = (facts: SessionFacts): boolean => fitsFilter(query, facts)
      const before = earliest(query.before, query.to)
      const requests = requestConditionOf(query)
      if (query.q !== undefined && query.q.trim() !== '') {
        const found = newestFirst(await search(deps, query.q.trim())).filter(
          (facts) => wanted(facts) && (before === null || Date.parse(facts.startedAt) < before.getTime()),
        )
        const all = requests === null ? found : await meeting(deps, found, requests)
        const facts = all.slice(0, query.limit)
        return {
          sessions: await withSentences(deps, facts, query.showsKeys === true),
          next: all.length > facts.length ? (facts.at(-1)?.startedAt ?? null) : null,
        }
      }
      const only =
        query.live === true
          ? { activeSince: new Date(deps.now().getTime() - liveMs) }
          : query.errors === true
            ? 'errors'
            : undefined
      const matching: SessionFacts[] = []
      const since = query.from === undefined ? null : new Date(query.from)
      let page: Page | null = { before, limit: query.limit, only, requests }
      for (let read = 0; read < pagesPerAnswer && matching.length < query.limit && page !== null; read += 1) {
        const found: FoundPage = await readPage(deps, page)
        matching.push(...found.facts.filter(wanted))
        // A filter that leaves little of a page looks at larger ones.
        const limit = Math.min(page.limit * 2, Math.max(query.limit, mostOfPage))
        const isOver: boolean = found.next === null || (since !== null && found.next <= since)
        page = isOver ? null : { ...page, before: found.next, limit }
      }
      const facts = matching.slice(0, query.limit)
      const cut = matching.length > facts.length ? (facts.at(-1)?.startedAt ?? null) : null
      const sessions = await withSentences(deps, facts, query.showsKeys === true)
      return { sessions, next: cut ?? page?.before?.toISOString() ?? null }
    },

    /** These sessions, where they exist, by id. */
    async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, SessionSummary>> {
      const sessions = await withPeople(deps, await findFacts(deps, [...new Set(ids)]))
      return new Map(sessions.map((session) => [session.id, session]))
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>

/** What is known of these sessions; those that no source knows are left out. */
async function findFacts(deps: SessionsDeps, ids: readonly string[]): Promise<readonly SessionFacts[]> {
  if (ids.length > idsPerQuestion)
    return [
      ...(await findFacts(deps, ids.slice(0, idsPerQuestion))),
      ...(await findFacts(deps, ids.slice(idsPerQuestion))),
    ]
  if (ids.length === 0) return []
  const { recordings, events, findKnown, now } = deps
  const [recorded, captured, known] = await Promise.all([
    recordings.sessionSummaries(ids),
    events.summaries(ids),
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

/** The sessions as they are shown: with the people in them, and how many rows they changed. */
async function withPeople(deps: SessionsDeps, facts: readonly SessionFacts[]): Promise<SessionSummary[]> {
  const changes = await countChanges(deps, facts)
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
    // Where no person can be named, the browser is, which is no person's.
    const unnamed = { distinctId, personId: null, userId: null, email: null, name: null }
    const person = first ?? (people.length === 0 ? visitor : undefined) ?? unnamed
    return { ...rest, person, people, changes: changes.get(rest.id) ?? 0 }
  })
}

/** The sessions as the list shows them: with what was done in each, in a sentence. */
async function withSentences(
  deps: SessionsDeps,
  facts: readonly SessionFacts[],
  showsKeys: boolean,
): Promise<SessionSummary[]> {
  const [sessions, deeds] = await Promise.all([withPeople(deps, facts), readDeeds(deps.store, facts)])
  return sessions.map((session) => ({ ...session, sentence: saySession(deeds.get(session.id) ?? [], showsKeys) }))
}

/** Rows that the sessions' own requests changed. */
async function countChanges(
  { store }: SessionsDeps,
  facts: readonly SessionFacts[],
): Promise<ReadonlyMap<string, number>> {
  const known = new Map(facts.map(({ id, known }) => [id, known]))
  const counts = new Map<string, number>()
  for (const row of await store.changeClaims([...known.keys()])) {
    if (known.get(row.session_id)?.foreignWhy(claimOf(row)) !== null) continue
    counts.set(row.session_id, (counts.get(row.session_id) ?? 0) + Number(row.changes))
  }
  return counts
}

/** The earlier of two instants that may be given. */
function earliest(...instants: readonly (string | undefined)[]): Date | null {
  const given = instants.flatMap((instant) => (instant === undefined ? [] : [Date.parse(instant)]))
  return given.length === 0 ? null : new Date(Math.min(...given))
}

/** Those of the sessions that have a request as the condition says. */
async function meeting(
  { store }: SessionsDeps,
  facts: readonly SessionFacts[],
  condition: RequestCondition,
): Promise<readonly SessionFacts[]> {
  const ids = await store.sessionsMeeting(
    facts.map(({ id }) => id),
    condition,
  )
  return facts.filter(({ id }) => ids.has(id))
}

/** What is asked of the sources at a time. */
interface Page {
  /** Only sessions that began before; null for the newest. */
  readonly before: Date | null
  readonly limit: number
  readonly only: SessionStartsQuery['only']
  /** Only sessions with a request as it says. */
  readonly requests: RequestCondition | null
}

interface FoundPage {
  readonly facts: readonly SessionFacts[]
  /** Where the next page goes on; null after the last. */
  readonly next: Date | null
}

/** Sessions that began before an instant, newest first; none is left out between two pages. */
async function readPage(deps: SessionsDeps, page: Page, marginMs = laterStartMs): Promise<FoundPage> {
  const { recordings, events, store } = deps
  const { before, limit, only, requests } = page
  const beforeMs = (before ?? farFuture).getTime()
  // The source that proposes a session for what is wanted may know a later start of it than another one.
  const margin = (only === undefined && requests === null) || before === null ? null : new Date(beforeMs + marginMs)
  const query = {
    limit: limit + (margin === null ? 1 : sessionsInMargin),
    startedBefore: margin ?? new Date(beforeMs),
    from: margin ?? before ?? deps.now(),
    ...(only === undefined ? {} : { only }),
  }
  const lists =
    requests === null
      ? await Promise.all([recordings.starts(query), events.starts(query), store.sessionStarts(query)])
      : [await store.sessionStarts({ ...query, requests })]
  const startOf = new Map<string, number>()
  for (const { sessionId, startedAt } of lists.flat())
    startOf.set(sessionId, Math.min(startOf.get(sessionId) ?? Number.POSITIVE_INFINITY, startedAt.getTime()))
  // A source that gave as many as were asked may know more that began before its last: what is older than that
  // belongs to the next page.
  const horizonMs = Math.max(
    ...lists.map((list) => (list.length < query.limit ? 0 : (list.at(-1)?.startedAt.getTime() ?? 0))),
  )
  const proposed = [...startOf].sort(([, a], [, b]) => b - a).filter(([, startMs]) => startMs >= horizonMs)
  const later = proposed.filter(([, startMs]) => startMs >= beforeMs)
  const taken = proposed.slice(later.length, later.length + limit)
  // So many in the margin that they leave no place.
  if (taken.length === 0 && horizonMs > 0 && marginMs > 0) return readPage(deps, page, 0)
  const isLast = horizonMs === 0 && later.length + taken.length === proposed.length
  const lastMs = taken.at(-1)?.[1] ?? horizonMs
  const facts = newestFirst(
    await findFacts(
      deps,
      [...later, ...taken].map(([id]) => id),
    ),
  )
  return {
    facts: facts.filter(({ startedAt }) => {
      const startMs = Date.parse(startedAt)
      return startMs < beforeMs && (isLast || startMs >= lastMs)
    }),
    next: isLast ? null : new Date(lastMs),
  }
}

/** Finds sessions by a text; those that only a foreign request speaks for are left out. */
async function search(deps: SessionsDeps, text: string): Promise<readonly SessionFacts[]> {
  const { links, store, events, searchLimit } = deps
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
  return (await findFacts(deps, ids)).filter(
    ({ id, known }) =>
      certain.has(id) ||
      known.stretches.some(({ who }) => who.kind === 'user' && userIds.has(who.userId)) ||
      claims.get(id)?.some((row) => known.foreignWhy(claimOf(row)) === null),
  )
}

const sessionForm = /^[A-Za-z0-9-]{8,70}$/
const isUuidLike = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
