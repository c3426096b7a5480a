import { inGroups, type Subject } from '../../../ground/privacy/person.ts'
import { shortestText } from '../../../ground/privacy/person-texts.ts'
import { privacyError } from '../errors.ts'
import type { ErasuresDeps, KnownPeople, PersonKey } from './deps.ts'

/** A person who may be erased. */
export interface FoundSubject {
  readonly subject: Subject
  /** Whether auth has an account. */
  readonly hasAccount: boolean
  /** What may be looked for in texts, and whether it says enough to be looked for unasked. */
  readonly texts: readonly { readonly text: string; readonly isTelling: boolean }[]
}

const mostSessions = 10_000

/** Everything that names a person. @throws CLEW_PRIVACY_PERSON_NOT_FOUND */
export async function findSubject(
  { people, account }: Pick<ErasuresDeps, 'people' | 'account'>,
  key: PersonKey,
): Promise<FoundSubject> {
  const person = await people.find(key)
  const userId = 'userId' in key ? key.userId : (person?.userId ?? null)
  const ofAccount = userId === null ? null : await account.texts(userId)
  if (person === null && ofAccount === null) throw privacyError('CLEW_PRIVACY_PERSON_NOT_FOUND')
  const distinctIds = [...new Set([...(person?.distinctIds ?? []), ...(userId === null ? [] : [userId])])]
  const all = [...(ofAccount ?? []), ...(person?.texts ?? []), ...distinctIds.filter((id) => id.includes('@'))]
  const known = [...new Set(all)].filter((text) => text.length >= shortestText)
  const texts = known.map((text) => ({ text, isTelling: isTelling(text) }))
  return {
    subject: {
      ...{ personId: person?.personId ?? null, userId, distinctIds },
      sessionIds: await sessionsOf(people, distinctIds),
      texts: texts.flatMap(({ text, isTelling: tells }) => (tells ? [text] : [])),
      refuses: false,
    },
    hasAccount: ofAccount !== null,
    texts,
  }
}

async function sessionsOf(people: KnownPeople, distinctIds: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const ids of inGroups(distinctIds)) for (const id of await people.sessionIds(ids, mostSessions)) found.add(id)
  return [...found].slice(0, mostSessions)
}

/** Whether a text names one person: an address, a number, a name of several words. `Ada` alone stands in many texts. */
const isTelling = (text: string): boolean => /@|^\+?[0-9][0-9 ()-]{5,}$|\S\s+\S/.test(text)
