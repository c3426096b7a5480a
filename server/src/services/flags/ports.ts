import type { JsonObject } from '../../ground/json/object.ts'
import type { StoredPerson } from '../../ground/model/person.ts'

/** What conditions ask of persons. */
export interface PeoplePort {
  /** The person behind an id, if there is one. */
  person(distinctId: string): Promise<StoredPerson | null>
  /** Some persons, those seen latest first: for estimates. */
  some(limit: number): Promise<readonly StoredPerson[]>
}

/** A group with what is known of it. */
export interface StoredGroup {
  readonly key: string
  readonly properties: JsonObject
}

/** What conditions ask of groups. */
export interface GroupsPort {
  /** The name of each group type, by its index. */
  types(): Promise<ReadonlyMap<number, string>>
  /** The stored properties of one group; null for one that was never described. */
  properties(type: string, key: string): Promise<JsonObject | null>
  /** Some groups of a type, those seen latest first: for estimates. */
  some(type: string, limit: number): Promise<readonly StoredGroup[]>
}
