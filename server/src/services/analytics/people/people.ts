import { analyticsError } from '../errors.ts'
import type { PeopleDeps } from './deps.ts'
import {
  type ListedPerson,
  type PeopleQuery,
  type PersonPlace,
  type PersonSort,
  selectPeopleStatement,
} from './list-store.ts'
import { findPerson, type StoredDetail } from './person.ts'
import { type PersonIdsRow, selectPersonIdsStatement } from './person-store.ts'
import { renderPerson } from './render.ts'
import type { PersonSummary } from './schemas.ts'
import { findActivity } from './visitor-days.ts'

export interface PeopleListQuery extends Omit<PeopleQuery, 'after'> {
  /** As a page before gave it. */
  readonly before: string | null
}

/** What the console asks of people. */
export interface People {
  /** Those seen latest first. @throws CLEW_PEOPLE_CURSOR */
  list(query: PeopleListQuery): Promise<{ people: PersonSummary[]; next: string | null }>
  /** One with all that is stored of them. @throws CLEW_PEOPLE_NOT_FOUND */
  one(id: string): Promise<StoredDetail>
  /** The ids of one, the first fifty by name, with their user and e-mail address; null where there is no such person. */
  idsOf(id: string): Promise<PersonIdsRow | null>
}

/** Bound values travel in the address, which a server reads to some 16 KiB. */
const idsOfOne = 50

export function createPeople(deps: PeopleDeps): People {
  const { sql, clickhouse, now } = deps
  return {
    one: (id) => findPerson(deps, id),
    idsOf: async (id) => (await sql.query<PersonIdsRow>(selectPersonIdsStatement(id, idsOfOne))).rows[0] ?? null,
    async list({ before, limit, ...query }) {
      const after = before === null ? null : readPlace(before)
      const { rows } = await sql.query<ListedPerson>(selectPeopleStatement({ ...query, after, limit: limit + 1 }))
      const shown = rows.slice(0, limit)
      const ids = shown.map(({ distinctIds }) => distinctIds)
      const activity = await findActivity(clickhouse, ids, now())
      const last = shown.at(-1)
      return {
        people: shown.map((person, index) => renderPerson(person, activity.get(index))),
        next: rows.length > limit && last !== undefined ? writePlace(last, query.sort) : null,
      }
    },
  }
}

const writePlace = ({ id, ...person }: ListedPerson, sort: PersonSort): string =>
  `${(sort === 'last_seen' ? person.lastSeenAt : person.createdAt).getTime()}.${id}`

const place = /^(?<ms>-?\d{1,15})\.(?<id>[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

function readPlace(text: string): PersonPlace {
  const found = place.exec(text)?.groups
  if (found?.ms === undefined || found.id === undefined) throw analyticsError('CLEW_PEOPLE_CURSOR')
  return { at: new Date(Number(found.ms)), id: found.id }
}
