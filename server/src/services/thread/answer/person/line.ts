import { threadError } from '../../errors.ts'
import type { PeoplePort, UsersPort } from '../../ports.ts'
import type { PersonLine, PersonMomentKind } from '../../schemas/person-line.ts'
import { type LinePlace, mergePages } from './merge.ts'
import { createSources, type SourcesDeps } from './sources.ts'

export interface PersonLineQuery {
  readonly personId: string
  readonly kinds: readonly PersonMomentKind[]
  /** As a page before gave it. */
  readonly before: string | null
  readonly limit: number
}

export interface PersonLineDeps extends SourcesDeps {
  readonly people: Pick<PeoplePort, 'idsOf'>
  readonly users: Pick<UsersPort, 'byId'>
  readonly now: () => Date
}

/** Pages read for one answer where all of one was another's. */
const pagesPerAnswer = 5
/** Clocks of clients that are ahead. */
const aheadMs = 24 * 3_600_000

/** The line of time of a person over all that is stored of them. */
export function createPersonLine(deps: PersonLineDeps) {
  const sources = createSources(deps)
  /** @throws CLEW_THREAD_NO_PERSON, CLEW_THREAD_PERSON_PLACE */
  return async ({ personId, kinds, before, limit }: PersonLineQuery): Promise<PersonLine> => {
    let place = before === null ? null : readPlace(before)
    const found = await deps.people.idsOf(personId)
    if (found === null) throw threadError('CLEW_THREAD_NO_PERSON')
    const user = found.userId === null ? undefined : (await deps.users.byId([found.userId])).get(found.userId)
    const emails = [...new Set([found.email, user?.email ?? null].flatMap((email) => email?.toLowerCase() ?? []))]
    const person = { ...found, personId, emails }
    for (let read = 1; ; read += 1) {
      const untilMs = place?.atMs ?? deps.now().getTime() + aheadMs
      const pages = await Promise.all(kinds.map((kind) => sources[kind](person, untilMs, limit)))
      const page = mergePages(pages, place, limit)
      if (page.moments.length > 0 || page.next === null || read >= pagesPerAnswer)
        return { moments: [...page.moments], next: page.next && writePlace(page.next) }
      place = page.next
    }
  }
}

const writePlace = ({ atMs, key }: LinePlace): string => `${atMs}.${key}`

const placeForm = /^(?<ms>\d{1,15})\.(?<key>[a-z]+:[\w.-]{1,200}|~)$/

function readPlace(text: string): LinePlace {
  const found = placeForm.exec(text)?.groups
  if (found?.ms === undefined || found.key === undefined) throw threadError('CLEW_THREAD_PERSON_PLACE')
  return { atMs: Number(found.ms), key: found.key }
}
