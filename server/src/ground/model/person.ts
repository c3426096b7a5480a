import type { JsonObject } from '../json/object.ts'

/** What analytics knows of the person behind a distinct id. */
export interface PersonFacts {
  readonly personId: string
  /** The user of the application that the person is linked with, if any. */
  readonly userId: string | null
  readonly email: string | null
  readonly name: string | null
}

/** A person with all that is stored of them. */
export interface StoredPerson {
  /** The user of the application that the person is linked with, if any. */
  readonly userId: string | null
  readonly properties: JsonObject
  /** Some hundred at most. */
  readonly distinctIds: readonly string[]
}
