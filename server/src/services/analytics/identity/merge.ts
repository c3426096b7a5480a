import type { JsonObject } from '../../../ground/json/object.ts'
import type { IdentityChange } from './change.ts'

/** A person as the merge rules see one. */
export interface PersonState {
  readonly id: string
  readonly properties: JsonObject
  /** Property name → time of the event that last set or removed it, in milliseconds since 1970. */
  readonly propertyTimes: Readonly<Record<string, number>>
  readonly createdAtMs: number
  /** Two ids were once joined in this person: it is no longer anonymous. */
  readonly isIdentified: boolean
  /** The user of the application, once a signed-in request was seen with one of the ids. */
  readonly authUserId: string | null
}

const illegalInAnyCase = new Set([
  'anonymous',
  'guest',
  'distinctid',
  'distinct_id',
  'id',
  'not_authenticated',
  'email',
  'undefined',
  'true',
  'false',
])
const illegalExactly = new Set(['[object Object]', 'NaN', 'None', 'none', 'null', '0', 'undefined'])

/** Whether an id is one that broken code sends for everybody; merging by it would join strangers. */
export function isIllegalDistinctId(distinctId: string): boolean {
  const text = distinctId.trim().replace(/^(['"])(.*)\1$/, '$2')
  return text.trim() === '' || illegalInAnyCase.has(text.toLowerCase()) || illegalExactly.has(text)
}

/** What is to be done with the two ids of a merge. */
export type MergePlan =
  | { readonly kind: 'nothing'; readonly reason: 'same_id' | 'same_person' }
  | { readonly kind: 'refused'; readonly reason: 'illegal_id' | 'already_identified' | 'another_user' }
  /** One person for both ids: `person`, or a new one when null. */
  | { readonly kind: 'join'; readonly person: PersonState | null }
  | { readonly kind: 'merge'; readonly winner: PersonState; readonly loser: PersonState }

/** An id and the person it belongs to, if any. */
export interface KnownId {
  readonly distinctId: string
  readonly person: PersonState | null
}

/**
 * The rules of merging: `subject` is the event's own id, `other` its `$anon_distinct_id` or `alias`.
 *
 * @param dangerous `$merge_dangerously`: an identified person may be merged too
 */
export function planMerge(subject: KnownId, other: KnownId, dangerous: boolean): MergePlan {
  if (subject.distinctId === other.distinctId) return { kind: 'nothing', reason: 'same_id' }
  if (isIllegalDistinctId(subject.distinctId) || isIllegalDistinctId(other.distinctId)) {
    return { kind: 'refused', reason: 'illegal_id' }
  }
  if (subject.person === null || other.person === null) {
    return { kind: 'join', person: subject.person ?? other.person }
  }
  if (subject.person.id === other.person.id) return { kind: 'nothing', reason: 'same_person' }
  // Two accounts of the application are two people, whatever a client says.
  if (areDifferentUsers(subject.person, other.person)) return { kind: 'refused', reason: 'another_user' }
  if (other.person.isIdentified && !dangerous) return { kind: 'refused', reason: 'already_identified' }
  return { kind: 'merge', winner: subject.person, loser: other.person }
}

const areDifferentUsers = (left: PersonState, right: PersonState): boolean =>
  left.authUserId !== null && right.authUserId !== null && left.authUserId !== right.authUserId

/** The winner after a merge: its own properties stand over the loser's, and the older beginning counts. */
export function mergePersons(winner: PersonState, loser: PersonState): PersonState {
  return {
    id: winner.id,
    properties: { ...loser.properties, ...winner.properties },
    propertyTimes: { ...loser.propertyTimes, ...winner.propertyTimes },
    createdAtMs: Math.min(winner.createdAtMs, loser.createdAtMs),
    isIdentified: true,
    authUserId: winner.authUserId ?? loser.authUserId,
  }
}

/** Applies `$set`, `$set_once` and `$unset`; an event older than the last change of a property changes it no more. */
export function applyProperties(
  person: PersonState,
  change: Pick<IdentityChange, 'set' | 'setOnce' | 'unset' | 'atMs'>,
): PersonState {
  const properties: Record<string, unknown> = { ...person.properties }
  const times: Record<string, number> = { ...person.propertyTimes }
  const isNewer = (name: string): boolean => change.atMs >= (times[name] ?? Number.NEGATIVE_INFINITY)
  let changed = false
  for (const [name, value] of Object.entries(change.setOnce ?? {})) {
    if (Object.hasOwn(properties, name)) continue
    properties[name] = value
    times[name] ??= change.atMs
    changed = true
  }
  for (const [name, value] of Object.entries(change.set ?? {})) {
    if (!isNewer(name)) continue
    properties[name] = value
    times[name] = change.atMs
    changed = true
  }
  for (const name of change.unset) {
    if (!isNewer(name)) continue
    delete properties[name]
    times[name] = change.atMs
    changed = true
  }
  return changed ? { ...person, properties, propertyTimes: times } : person
}
