/** How much is kept under each root key, by its id. */
export type RootKeyCounts = ReadonlyMap<string, number>

/** Something that a service keeps under root keys. */
export interface RootKeyUse {
  /** In words, many of them: `secrets of functions`. */
  readonly name: string
  /** Moves what is under another root key to the one that counts; null where only its owner can, who uses it. */
  readonly renew: (() => Promise<void>) | null
  readonly count: () => Promise<RootKeyCounts>
  /** Ends what is under a root key that will be no more: it could be neither opened nor verified. */
  readonly end: (rootId: string) => Promise<void>
}

/** Counts by root key, of rows as PostgreSQL counts them. */
export const countsOf = (rows: readonly { readonly rootId: string; readonly count: number }[]): RootKeyCounts =>
  new Map(rows.map(({ rootId, count }) => [rootId, count]))

/**
 * Moves each item; one that cannot be moved holds up none that stands behind it.
 *
 * @throws the first problem, once all were tried
 */
export async function renewEach<Item>(items: readonly Item[], renew: (item: Item) => Promise<unknown>): Promise<void> {
  const problems: unknown[] = []
  for (const item of items) {
    try {
      await renew(item)
    } catch (error) {
      problems.push(error)
    }
  }
  if (problems.length > 0) throw problems[0]
}
