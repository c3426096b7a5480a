/** What analytics knows of the person behind a distinct id. */
export interface PersonFacts {
  readonly personId: string
  /** The user of the application that the person is linked with, if any. */
  readonly userId: string | null
  readonly email: string | null
  readonly name: string | null
}
