import type { IdentityChange } from './change.ts'
import { isIllegalDistinctId } from './merge.ts'

/** A person as tests compare them. */
export interface ModelPerson {
  /** In the order of their bytes. */
  readonly ids: readonly string[]
  readonly user: string | null
  readonly isIdentified: boolean
  readonly properties: Readonly<Record<string, unknown>>
}

interface Person {
  ids: string[]
  user: string | null
  isIdentified: boolean
  /** Property name → what was last said of it; `value` is absent once it was removed. */
  facts: Map<string, { readonly value?: unknown; readonly at: number }>
  /** Names of the sides that the person is on. */
  sides: Set<string>
}

/** The identity graph as it is written in the contract (analytics §3, merge rules), for a handful of people and no database. */
export function createModel() {
  let people: Person[] = []
  const seen = new Set<string>()
  let splits = 0

  const personOf = (id: string) => people.find(({ ids }) => ids.includes(id))
  const make = (ids: string[]): Person => {
    const person: Person = { ids, user: null, isIdentified: false, facts: new Map(), sides: new Set() }
    people.push(person)
    return person
  }
  const opposite = (side: string): string => (side.endsWith('+') ? `${side.slice(0, -1)}-` : `${side.slice(0, -1)}+`)
  const apart = (left: Person, right: Person): boolean =>
    [...left.sides].some((side) => right.sides.has(opposite(side)))

  function unite(winner: Person, loser: Person): void {
    winner.ids.push(...loser.ids)
    for (const [name, fact] of loser.facts) {
      const own = winner.facts.get(name)
      const isGone = own !== undefined && !('value' in own)
      if (own === undefined || (isGone && fact.at >= own.at)) winner.facts.set(name, fact)
    }
    const sides = new Set([...winner.sides, ...loser.sides])
    winner.sides = new Set([...sides].filter((side) => !sides.has(opposite(side))))
    winner.user ??= loser.user
    winner.isIdentified = true
    people = people.filter((person) => person !== loser)
  }

  function merge(a: string, b: string, dangerous: boolean): void {
    if (a === b || isIllegalDistinctId(a) || isIllegalDistinctId(b)) return
    const [mine, other] = [personOf(a), personOf(b)]
    if (mine === undefined || other === undefined) {
      const person = mine ?? other ?? make([a])
      for (const id of [a, b]) if (!person.ids.includes(id)) person.ids.push(id)
      person.isIdentified = true
      return
    }
    if (mine === other) return
    if (mine.user !== null && other.user !== null && mine.user !== other.user) return
    if (!dangerous && (other.isIdentified || apart(mine, other))) return
    unite(mine, other)
  }

  return {
    apply({ uuid, distinctId, otherId, dangerous, set, setOnce, unset, atMs }: IdentityChange): void {
      if (seen.has(uuid)) return
      seen.add(uuid)
      if (otherId !== null) merge(distinctId, otherId, dangerous)
      const { facts } = personOf(distinctId) ?? make([distinctId])
      for (const [name, value] of Object.entries(setOnce ?? {})) {
        const before = facts.get(name)
        if (before === undefined || !('value' in before)) facts.set(name, { value, at: before?.at ?? atMs })
      }
      const isNewer = (name: string): boolean => atMs >= (facts.get(name)?.at ?? atMs)
      for (const [name, value] of Object.entries(set ?? {})) if (isNewer(name)) facts.set(name, { value, at: atMs })
      for (const name of unset) if (isNewer(name)) facts.set(name, { at: atMs })
    },

    /** Whether the first id's person had them all, and keeps others. */
    split(given: readonly string[]): boolean {
      const ids = [...new Set(given)]
      const person = personOf(ids[0] ?? '')
      if (person === undefined || !ids.every((id) => person.ids.includes(id)) || person.ids.length === ids.length)
        return false
      splits += 1
      const taken = make(ids)
      taken.sides = new Set([...person.sides, `${splits}+`])
      person.sides.add(`${splits}-`)
      person.ids = person.ids.filter((id) => !ids.includes(id))
      return true
    },

    signIn(id: string, user: string): void {
      const mine = personOf(id)
      const theirs = people.find((person) => person.user === user)
      if (mine?.user === user) return
      if (mine !== undefined && mine.user !== null) {
        if (theirs === undefined) Object.assign(make([]), { user, isIdentified: true })
        return
      }
      if (mine !== undefined && theirs !== undefined && apart(mine, theirs)) return
      if (mine !== undefined && theirs !== undefined) unite(theirs, mine)
      const person = theirs ?? mine ?? make([id])
      if (!person.ids.includes(id)) person.ids.push(id)
      person.user = user
      person.isIdentified = true
    },

    persons: (): readonly ModelPerson[] =>
      people
        .map(({ ids, user, isIdentified, facts }) => ({
          ...{ ids: ids.toSorted(), user, isIdentified },
          properties: Object.fromEntries(
            [...facts].flatMap(([name, fact]) => ('value' in fact ? [[name, fact.value]] : [])),
          ),
        }))
        .toSorted((left, right) =>
          `${left.ids.join(' ')} ${left.user}`.localeCompare(`${right.ids.join(' ')} ${right.user}`),
        ),
  }
}
