import type { IdentityChange } from './change.ts'
import { applyProperties, mergePersons, type PersonState, planMerge } from './merge.ts'

/** The persons and ids that a set of changes touches, and what became of them. */
export interface World {
  personOf(distinctId: string): PersonState | null
  /** The person of an id, made when there is none. */
  require(distinctId: string, atMs: number): PersonState
  put(person: PersonState): void
  assign(distinctId: string, person: PersonState): void
  merge(winner: PersonState, loser: PersonState): PersonState
  outcome(): WorldOutcome
}

/** What is to be written. */
export interface WorldOutcome {
  readonly persons: readonly PersonState[]
  /** Ids that got a person, or another one. */
  readonly ids: ReadonlyMap<string, string>
  /** Id of each person merged away → id of the person it became part of; never a chain. */
  readonly merged: ReadonlyMap<string, string>
}

/** A person with these properties and nothing else. */
export const newPerson = (id: string, createdAtMs: number, properties: PersonState['properties']): PersonState => ({
  id,
  properties,
  propertyTimes: {},
  createdAtMs,
  isIdentified: false,
  authUserId: null,
  splits: {},
})

/** A world in memory, from what the database knows of the ids in question. */
export function createWorld(known: ReadonlyMap<string, PersonState>, newId: () => string): World {
  const persons = new Map([...known.values()].map((person) => [person.id, person]))
  const personIds = new Map([...known].map(([distinctId, person]) => [distinctId, person.id]))
  const changed = new Set<string>()
  const ids = new Map<string, string>()
  const merged = new Map<string, string>()

  const world: World = {
    personOf: (distinctId) => persons.get(personIds.get(distinctId) ?? '') ?? null,
    require(distinctId, atMs) {
      const found = world.personOf(distinctId)
      if (found !== null) return found
      const person = newPerson(newId(), atMs, {})
      world.put(person)
      world.assign(distinctId, person)
      return person
    },
    put(person) {
      persons.set(person.id, person)
      changed.add(person.id)
    },
    assign(distinctId, person) {
      personIds.set(distinctId, person.id)
      ids.set(distinctId, person.id)
    },
    merge(winner, loser) {
      const person = mergePersons(winner, loser)
      world.put(person)
      for (const [distinctId, id] of personIds) if (id === loser.id) world.assign(distinctId, person)
      for (const [from, into] of merged) if (into === loser.id) merged.set(from, person.id)
      merged.set(loser.id, person.id)
      persons.delete(loser.id)
      changed.delete(loser.id)
      return person
    },
    outcome: () => ({ persons: [...changed].flatMap((id) => persons.get(id) ?? []), ids, merged }),
  }
  return world
}

/** Applies one change; returns why a merge is not allowed, for the log; else null. */
export function applyChange(world: World, change: IdentityChange): string | null {
  const reason = change.otherId === null ? null : applyMerge(world, change.distinctId, change.otherId, change)
  const person = world.require(change.distinctId, change.atMs)
  const next = applyProperties(person, change)
  if (next !== person) world.put(next)
  return reason
}

function applyMerge(world: World, distinctId: string, otherId: string, change: IdentityChange): string | null {
  const plan = planMerge(
    { distinctId, person: world.personOf(distinctId) },
    { distinctId: otherId, person: world.personOf(otherId) },
    change.dangerous,
  )
  switch (plan.kind) {
    case 'nothing':
      return null
    case 'refused':
      return plan.reason
    case 'join': {
      const person = { ...(plan.person ?? world.require(distinctId, change.atMs)), isIdentified: true }
      world.put(person)
      for (const id of [distinctId, otherId]) if (world.personOf(id) === null) world.assign(id, person)
      return null
    }
    case 'merge':
      world.merge(plan.winner, plan.loser)
      return null
    default:
      return plan satisfies never
  }
}
