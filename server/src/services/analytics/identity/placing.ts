import { type Place, personPlace, placeKey } from '../geo/place.ts'
import type { IdentityChange } from './change.ts'

/** Adds to a change where its person is. */
export type PlacePerson = (change: IdentityChange, place: Place) => IdentityChange

/**
 * A place is told once a request, and once while it stays the person's: an event of a known person at a known place changes
 * nothing of them. What the client sets itself stands.
 *
 * @param isAt whether it is known that the person of an id is at the place with this key
 */
export function createPlacing(isAt: (distinctId: string, place: string) => boolean): PlacePerson {
  const sent = new Map<string, string>()
  return (change, place) => {
    const { distinctId, set, setOnce, unset } = change
    const key = placeKey(place)
    const before = sent.get(distinctId)
    if (before === key || (before === undefined && isAt(distinctId, key))) return change
    sent.set(distinctId, key)
    const theirs = personPlace(place)
    return {
      ...change,
      set: { ...theirs.set, ...set },
      setOnce: { ...theirs.setOnce, ...setOnce },
      unset: [...unset, ...theirs.unset.filter((name) => set === null || !Object.hasOwn(set, name))],
      place: key,
    }
  }
}
