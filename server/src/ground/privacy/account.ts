/** What becomes of the rows that name a user in one column. */
export interface RowsChoice {
  readonly schema: string
  readonly table: string
  readonly column: string
  readonly action: 'delete' | 'set null'
}

/** Rows that name a user by a foreign key, and what can become of them. */
export interface NamingRows {
  readonly schema: string
  readonly table: string
  readonly column: string
  /** 10,000 says as many or more. */
  readonly rows: number
  /** What the foreign key does with them when the user is deleted. */
  readonly onDelete: 'deleted' | 'emptied' | 'kept from being deleted'
  /** Whether the column may be null. */
  readonly canBeEmptied: boolean
}

/** Why the database refuses to delete an account. */
export interface Refusal {
  readonly message: string
  readonly detail: string | null
  /** Where the row is that stands against it; null where the database does not say. */
  readonly table: string | null
}

/** Rows that went, or lost the user, table by table. */
export interface ErasedTable {
  readonly table: string
  readonly column: string
  readonly action: RowsChoice['action']
  readonly rows: number
}

/** What deleting an account came to, or would. */
export type AccountOutcome =
  | { readonly kind: 'erased'; readonly tables: readonly ErasedTable[]; readonly accounts: number }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** The account of a user and the rows of the application that name it. */
export interface AccountEraser {
  /** E-mail addresses, phone numbers and names of a user; null for one that is not there. */
  texts(userId: string): Promise<readonly string[] | null>
  namingRows(userId: string): Promise<readonly NamingRows[]>
  /**
   * Deletes the user, after the rows of each choice were deleted or emptied, in one transaction.
   *
   * @param cause names the transaction in the history of rows
   * @param end   `rollback` tries it out
   */
  erase(
    userId: string,
    choices: readonly RowsChoice[],
    options: { readonly cause: string; readonly end: 'commit' | 'rollback' },
  ): Promise<AccountOutcome>
  /** The account, its identities, sessions and factors, as JSON; secrets are left out. */
  read(userId: string): AsyncIterable<string>
  /** The rows of the application that name the user, each as JSON with its table. */
  readRows(userId: string): AsyncIterable<string>
}
