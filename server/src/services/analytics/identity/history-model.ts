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
export class HistoryModel {
  private people: Person[] = []
  private readonly seen = new Set<string>()
  private splits = 0

  apply({ uuid, distinctId, otherId, dangerous, set, setOnce, unset, atMs }: IdentityChange): void {
    if (this.seen.has(uuid)) return
    this.seen.add(uuid)
    if (otherId !== null) this.merge(distinctId, otherId, dangerous)
    const { facts } = this.personOf(distinctId) ?? this.make([distinctId])
    for (const [name, value] of Object.entries(setOnce ?? {})) {
      const before = facts.get(name)
      if (before === undefined || !('value' in before)) facts.set(name, { value, at: before?.at ?? atMs })
    }
    const isNewer = (name: string): boolean => atMs >= (facts.get(name)?.at ?? atMs)
    for (const [name, value] of Object.entries(set ?? {})) if (isNewer(name)) facts.set(name, { value, at: atMs })
    for (const name of unset) if (isNewer(name)) facts.set(name, { at: atMs })
  }

  /** Whether the first id's person had them all, and keeps others. */
  split(given: readonly string[]): boolean {
    const ids = [...new Set(given)]
    const person = this.personOf(ids[0] ?? '')
    if (person === undefined || !ids.every((id) => person.ids.includes(id)) || person.ids.length === ids.length)
      return false
    this.splits += 1
    const taken = this.make(ids)
    taken.sides = new Set([...person.sides, `${this.splits}+`])
    person.sides.add(`${this.splits}-`)
    person.ids = person.ids.filter((id) => !ids.includes(id))
    return true
  }

  signIn(id: string, user: string): void {
    const mine = this.personOf(id)
    const theirs = this.people.find((person) => person.user === user)
    if (mine?.user === user) return
    if (mine !== undefined && mine.user !== null) {
      if (theirs === undefined) Object.assign(this.make([]), { user, isIdentified: true })
      return
    }
    if (mine !== undefined && theirs !== undefined && apart(mine, theirs)) return
    if (mine !== undefined && theirs !== undefined) this.unite(theirs, mine)
    const person = theirs ?? mine ?? this.make([id])
    if (!person.ids.includes(id)) person.ids.push(id)
    person.user = user
    person.isIdentified = true
  }

  persons(): readonly ModelPerson[] {
    const persons = this.people.map(({ ids, user, isIdentified, facts }) => ({
      ...{ ids: ids.toSorted(), user, isIdentified },
      properties: Object.fromEntries(
        [...facts].flatMap(([name, fact]) => ('value' in fact ? [[name, fact.value]] : [])),
      ),
    }))
    return persons.toSorted((left, right) => keyOf(left).localeCompare(keyOf(right)))
  }

  private merge(a: string, b: string, dangerous: boolean): void {
    if (a === b || isIllegalDistinctId(a) || isIllegalDistinctId(b)) return
    const [mine, other] = [this.personOf(a), this.personOf(b)]
    if (mine === undefined || other === undefined) {
      const person = mine ?? other ?? this.make([a])
      for (const id of [a, b]) if (!person.ids.includes(id)) person.ids.push(id)
      person.isIdentified = true
      return
    }
    if (mine === other) return
    if (mine.user !== null && other.user !== null && mine.user !== other.user) return
    if (!dangerous && (other.isIdentified || apart(mine, other))) return
    this.unite(mine, other)
  }

  private unite(winner: Person, loser: Person): void {
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
    this.people = this.people.filter((person) => person !== loser)
  }

  private personOf(id: string): Person | undefined {
    return this.people.find(({ ids }) => ids.includes(id))
  }

  private make(ids: string[]): Person {
    const person: Person = { ids, user: null, isIdentified: false, facts: new Map(), sides: new Set() }
    this.people.push(person)
    return person
  }
}

/** By what persons are put in order, to be compared. */
export const keyOf = ({ ids, user }: ModelPerson): string => `${ids.join(' ')} ${user}`

const opposite = (side: string): string => `${side.slice(0, -1)}${side.endsWith('+') ? '-' : '+'}`
const apart = (left: Person, right: Person): boolean => [...left.sides].some((side) => right.sides.has(opposite(side)))
