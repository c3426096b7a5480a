import type { EvaluatedFlag, Flags } from '../../../ground/flags/flags.ts'
import type { StoredDetail } from './person.ts'
import type { PersonFlags } from './schemas.ts'

/** What a person gets of all flags: for the id that they were last seen with, and their groups. */
export async function evaluateFlags(
  flags: Pick<Flags, 'evaluate'>,
  { ids, groups }: Pick<StoredDetail, 'ids' | 'groups'>,
): Promise<PersonFlags> {
  const latest = ids.toSorted((left, right) => (right.lastSeenAt ?? '').localeCompare(left.lastSeenAt ?? ''))[0]
  if (latest === undefined) return { distinctId: '', flags: [] }
  // The latest of each type, as a browser that is in two of them sends the last.
  const ofTypes = Object.fromEntries(groups.toReversed().map(({ type, key }) => [type, key]))
  const evaluated = await flags.evaluate({
    ...{ distinctId: latest.id, anonymousId: null, deviceId: null, groups: ofTypes, personProperties: {} },
    ...{ groupProperties: {}, keys: null, runtime: null, contexts: [] },
  })
  return { distinctId: latest.id, flags: renderFlags(evaluated) }
}

/** Flags as the console is answered. */
export const renderFlags = (evaluated: readonly EvaluatedFlag[]): PersonFlags['flags'] =>
  evaluated.map(({ key, value, reason, payload, failed }) => ({
    ...{ key, value, payload, reason: reason.description, known: !failed },
  }))
