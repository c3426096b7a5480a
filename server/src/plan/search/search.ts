import type { Postgres } from '../../engines/postgres/index.ts'
import { ServiceError } from '../../ground/errors/service-error.ts'
import { isUuid } from '../../ground/ids/uuidv7.ts'
import type { Masks } from '../../ground/privacy/masks.ts'
import { createRowFinder } from '../../services/rest/index.ts'
import type { SearchSource } from '../../services/search/index.ts'
import type { Thread } from '../../services/thread/index.ts'
import type { JoinedPeople } from '../people.ts'
import { ownerRole } from '../rest.ts'

/** Milliseconds that a room may take to answer a search. */
const waitMs = 2_000

/** What is searched. */
export interface SearchJoinDeps {
  readonly postgres: Postgres
  readonly thread: Pick<Thread, 'request' | 'sessions'>
  readonly people: Pick<JoinedPeople, 'people' | 'users'>
  readonly masks: Masks
  readonly now: () => Date
}

/** The rooms that know things by a text, for the console's search. */
export function planSearch({ postgres, thread, people: joined, masks, now }: SearchJoinDeps) {
  const { reader, authenticator: catalogues } = postgres
  const findRows = createRowFinder({ catalogues, reader, ownerRole, masks, now })
  const sources: readonly SearchSource[] = [
    { kind: 'request', right: 'look', find: (text) => findRequest(thread, text) },
    { kind: 'person', right: 'look', find: (text, limit) => findPeople(joined, text, limit) },
    { kind: 'user', right: 'read data', find: (text, limit) => findUsers(joined, text, limit) },
    {
      kind: 'session',
      right: 'look',
      async find(text, limit) {
        const { sessions } = await thread.sessions({ q: text, limit, showsKeys: false })
        return sessions.map(({ id, person, startedAt }) => ({
          ...{ id, title: person.name ?? person.email ?? person.distinctId },
          detail: startedAt,
        }))
      },
    },
    {
      kind: 'row',
      right: 'read data',
      async find(text, limit) {
        const rows = await findRows(text, limit)
        return rows.map(({ schema, table, column, key }) => ({
          ...{ id: key, title: `${schema}.${table}`, detail: `${column} = ${key}` },
          table: { schema, name: table, column },
        }))
      },
    },
  ]
  return { sources, waitMs }
}

async function findRequest(thread: SearchJoinDeps['thread'], text: string) {
  if (!isUuid(text)) return []
  try {
    const { request } = await thread.request(text.toLowerCase())
    const { id, method, path, status } = request
    return [{ id, title: `${method} ${path}`, detail: String(status) }]
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return []
    throw error
  }
}

async function findPeople({ people }: Pick<JoinedPeople, 'people'>, text: string, limit: number) {
  const named = await people.distinctIdsMatching(text, limit * 4)
  // A distinct id is found as it is; so is a user's, by the person who is linked with it.
  const [byId, byUser] = await Promise.all([
    people.byDistinctId([text, ...named]),
    isUuid(text) ? people.byUserId([text.toLowerCase()]) : new Map<string, never>(),
  ])
  const facts = new Map([...byId.values(), ...byUser.values()].map((person) => [person.personId, person]))
  return [...facts.values()].slice(0, limit).map(({ personId, name, email }) => ({
    ...{ id: personId, title: name ?? email ?? 'A visitor without a name' },
    detail: name === null ? null : email,
  }))
}

async function findUsers({ users }: Pick<JoinedPeople, 'users'>, text: string, limit: number) {
  const ids = await users.idsMatching(text, limit)
  const known = isUuid(text) ? [...ids, text.toLowerCase()] : ids
  const facts = await users.byId(known)
  return [...facts].slice(0, limit).map(([id, { email, name }]) => ({
    ...{ id, title: name ?? email ?? id },
    detail: name === null ? null : email,
  }))
}
