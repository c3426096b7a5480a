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
  /** Splits that this person came out of, each by its id, and on which side: two sides of one split stay apart. */
  readonly splits: Readonly<Record<string, SplitSide>>
}

export type SplitSide = 'kept' | 'taken'

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

/** Why two ids stay with their own persons. */
export type RefusedReason = 'illegal_id' | 'already_identified' | 'another_user' | 'split'

/** What is to be done with the two ids of a merge. */
export type MergePlan =
  | { readonly kind: 'nothing'; readonly reason: 'same_id' | 'same_person' }
  | { readonly kind: 'refused'; readonly reason: RefusedReason }
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
 * @param dangerous `$merge_dangerously`: an identified person may be merged too, and one that an operator had split off
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
  if (areSplit(subject.person, other.person) && !dangerous) return { kind: 'refused', reason: 'split' }
  if (other.person.isIdentified && !dangerous) return { kind: 'refused', reason: 'already_identified' }
  return { kind: 'merge', winner: subject.person, loser: other.person }
}

const areDifferentUsers = (left: PersonState, right: PersonState): boolean =>
  left.authUserId !== null && right.authUserId !== null && left.authUserId !== right.authUserId

/** Whether an operator has separated these two. */
export const areSplit = (left: PersonState, right: PersonState): boolean =>
  Object.entries(left.splits).some(([split, side]) => right.splits[split] !== undefined && right.splits[split] !== side)

/**
 * The winner after a merge: its own properties stand over the loser's, and the older beginning counts. A property that
 * the winner has not, but has removed, is the loser's only where that set it later.
 */
export function mergePersons(winner: PersonState, loser: PersonState): PersonState {
  const properties: Record<string, unknown> = { ...winner.properties }
  const propertyTimes: Record<string, number> = { ...winner.propertyTimes }
  for (const name of new Set([...Object.keys(loser.properties), ...Object.keys(loser.propertyTimes)])) {
    if (Object.hasOwn(properties, name)) continue
    const atMs = loser.propertyTimes[name] ?? Number.NEGATIVE_INFINITY
    if (atMs < (propertyTimes[name] ?? Number.NEGATIVE_INFINITY)) continue
    if (Object.hasOwn(loser.properties, name)) properties[name] = loser.properties[name]
    if (loser.propertyTimes[name] !== undefined) propertyTimes[name] = loser.propertyTimes[name]
  }
  return {
    id: winner.id,
    properties,
    propertyTimes,
    createdAtMs: Math.min(winner.createdAtMs, loser.createdAtMs),
    isIdentified: true,
    authUserId: winner.authUserId ?? loser.authUserId,
    splits: joinSplits(winner.splits, loser.splits),
  }
}

/** Splits of both; one whose two sides have become one person is undone. */
function joinSplits(left: PersonState['splits'], right: PersonState['splits']): PersonState['splits'] {
  const all = Object.entries({ ...right, ...left })
  return Object.fromEntries(all.filter(([split, side]) => (right[split] ?? side) === side))
}

/**
 * Takes ids away from a person into a new one. What is known of the person stays where it was: no property says by
 * which id it came.
 *
 * @returns both persons; no event joins them again but `$merge_dangerously`
 */
export function splitPerson(
  person: PersonState,
  split: string,
  newId: string,
): { readonly kept: PersonState; readonly taken: PersonState } {
  const { createdAtMs, splits } = person
  return {
    kept: { ...person, splits: { ...splits, [split]: 'kept' } },
    taken: {
      ...{ id: newId, properties: {}, propertyTimes: {}, createdAtMs, isIdentified: false, authUserId: null },
      splits: { ...splits, [split]: 'taken' },
    },
  }
}

/** Applies `$set`, `$set_once` and `$unset`; an event older than the last change of a property changes it no more. */
export function applyProperties<State extends Pick<PersonState, 'properties' | 'propertyTimes'>>(
  state: State,
  change: Pick<IdentityChange, 'set' | 'setOnce' | 'unset' | 'atMs'>,
): State {
  const properties: Record<string, unknown> = { ...state.properties }
  const times: Record<string, number> = { ...state.propertyTimes }
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
  return changed ? { ...state, properties, propertyTimes: times } : state
}
