/** How a user of the application signs in. */
export interface UserAccount {
  readonly createdAt: Date
  readonly lastSignInAt: Date | null
  readonly bannedUntil: Date | null
  readonly providers: readonly string[]
  /** Sign-ins that have not ended. */
  readonly sessions: number
}

/** The users of the application, as the pages of people need them. */
export interface UsersPort {
  byId(
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly email: string | null; readonly name: string | null }>>
  /** Null for a user that is not there. */
  account(id: string): Promise<UserAccount | null>
}
