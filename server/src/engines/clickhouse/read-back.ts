import { LRUCache } from 'lru-cache'

const firstMs = 60_000
/** How much further back the next look reaches where nothing was found. */
const stride = 16
/** What is older is read at once. */
const longestMs = 1000 * 24 * 60 * 60_000

/** How far back the last page of a kind was found: the next one is looked for there at once. */
export interface Reach<Found> {
  ms: number
  /** When what is found happened. */
  readonly at: (found: Found) => Date
}

/** How far back pages were found, by what was asked for. */
export interface Reaches<Found> {
  /**
   * @param kind  what these pages have in common: their conditions, how many rows they have, where they begin
   * @param wider a kind whose pages have the rows of these and others: one that was not asked for yet begins where those ended
   */
  of(kind: string, wider: string): Reach<Found>
}

/** Conditions that come from an address are as many as there are addresses. */
const keptKinds = 300

/** Reaches of which none is known yet. */
export function createReaches<Found>(at: Reach<Found>['at']): Reaches<Found> {
  const kept = new LRUCache<string, Reach<Found>>({ max: keptKinds })
  return {
    of(kind, wider) {
      const reach = kept.get(kind) ?? { ms: kept.get(wider)?.ms ?? firstMs, at }
      kept.set(kind, reach)
      return reach
    },
  }
}

/** What is looked for among a table's newest rows. */
export interface ReadBack<Found> {
  readonly limit: number
  /** The instant from which on it is read back. */
  readonly from: Date
  /** The instant before which there is nothing, where it is known. */
  readonly first?: Date
  /** How far back it is looked at first, where no reach is kept; a minute, where that is not known. */
  readonly expectedMs?: number
  /** Kept by the caller from one page of a kind to the next; changed here. */
  readonly reach?: Reach<Found>
  /** What is found since an instant, newest first, up to the limit; in all rows where there is no instant. */
  readonly find: (since: Date | null) => Promise<readonly Found[]>
}

/**
 * The newest rows that fit, or groups of them, without reading all: looks into the last minute, or as far as the last page
 * reached, and while that is too little twice as far as what was found lets expect. What is read depends on what is found, not on
 * what lies behind it.
 */
export async function readBack<Found>({
  limit,
  from,
  first,
  expectedMs = firstMs,
  reach,
  find,
}: ReadBack<Found>): Promise<readonly Found[]> {
  const farMs = first === undefined ? longestMs : Math.min(longestMs, from.getTime() - first.getTime())
  let ms = reach?.ms ?? Math.max(firstMs, expectedMs)
  let found: readonly Found[] = []
  for (; ms < farMs; ms *= found.length === 0 ? stride : (2 * limit) / found.length) {
    found = await find(new Date(from.getTime() - ms))
    if (found.length >= limit) break
  }
  if (ms >= farMs) found = await find(first ?? null)
  if (reach !== undefined) reach.ms = reachOf(found, { limit, from, reach })
  return found
}

/** Half as far again as the last one, which leaves room for a slower hour; everything, where that is less than a page. */
function reachOf<Found>(
  found: readonly Found[],
  { limit, from, reach }: { readonly limit: number; readonly from: Date; readonly reach: Reach<Found> },
): number {
  const last = found.at(-1)
  if (last === undefined || found.length < limit) return longestMs
  return Math.max(firstMs, 1.5 * (from.getTime() - reach.at(last).getTime()))
}
