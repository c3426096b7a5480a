const firstMs = 60_000
/** How much further back each try reads than the one before. */
const stride = 8
/** What is older is read at once. */
const longestMs = 1000 * 24 * 60 * 60_000

/** What is looked for among a table's newest rows. */
export interface ReadBack<Found> {
  readonly limit: number
  /** The instant from which on it is read back. */
  readonly from: Date
  /** The instant before which there is nothing, where it is known. */
  readonly first?: Date
  /** What is found since an instant, newest first, up to the limit; in all rows where there is no instant. */
  readonly find: (since: Date | null) => Promise<readonly Found[]>
}

/**
 * The newest rows that fit, or groups of them, without reading all: looks into the last minute, and eight times as far back
 * while that is too little. What is read depends on what is found, not on what lies behind it.
 */
export async function readBack<Found>({ limit, from, first, find }: ReadBack<Found>): Promise<readonly Found[]> {
  const reachMs = first === undefined ? longestMs : Math.min(longestMs, from.getTime() - first.getTime())
  for (let ms = firstMs; ms < reachMs; ms *= stride) {
    const found = await find(new Date(from.getTime() - ms))
    if (found.length >= limit) return found
  }
  return find(first ?? null)
}
