import type { SessionSummary } from '../schemas/session.ts'
import { claimOf } from './people/evidence.ts'
import type { FindPersons } from './people/person-refs.ts'
import type { Who } from './people/presence.ts'
import { findFacts } from './search/facts.ts'
import { type ListedSession, type ReadingDeps, readSessions, type SessionsQuery } from './search/reading.ts'
import { readDeeds } from './session-deeds.ts'
import type { SessionFacts } from './session-facts.ts'
import { saySession } from './session-sentence.ts'
import type { ThreadStore } from './store.ts'

export interface SessionsDeps extends ReadingDeps {
  readonly store: ThreadStore
  readonly findPersons: FindPersons
}

/** A list of sessions, as it is asked for. */
export interface SessionListQuery extends SessionsQuery {
  /** Whether keys of rows are told. */
  readonly showsKeys?: boolean
}

/** A page of the list. */
export interface SessionList {
  readonly sessions: SessionSummary[]
  readonly next: string | null
  readonly ranked: { readonly sessions: number; readonly since: string | null } | null
}

/** Reads sessions from all sources: recordings, captured events, requests. */
export function createSessions(deps: SessionsDeps) {
  return {
    async list({ showsKeys = false, ...query }: SessionListQuery): Promise<SessionList> {
      const { sessions, next, ranked } = await readSessions(deps, query)
      return {
        sessions: await withSentences(deps, sessions, showsKeys),
        next: next?.toISOString() ?? null,
        ranked: ranked && { sessions: ranked.sessions, since: ranked.since?.toISOString() ?? null },
      }
    },

    /** These sessions, where they exist, by id. */
    async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, SessionSummary>> {
      const sessions = await withPeople(deps, await findFacts(deps, [...new Set(ids)]))
      return new Map(sessions.map((session) => [session.id, session]))
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>

/** The sessions as they are shown: with the people in them, and how many rows they changed. */
async function withPeople(deps: SessionsDeps, facts: readonly ListedSession[]): Promise<SessionSummary[]> {
  const whos = facts.flatMap(({ distinctId, known }): readonly Who[] => [
    ...known.stretches.map(({ who }) => who),
    { kind: 'visitor', distinctId },
  ])
  const [changes, found] = await Promise.all([countChanges(deps, facts), deps.findPersons(whos)])
  const persons = [...found]
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
  facts: readonly ListedSession[],
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
