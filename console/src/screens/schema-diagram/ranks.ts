/** The name of a table and that of one which it names. */
export type Line = readonly [from: string, to: string]

/** Sweeps over the ranks; after some, hardly a table moves any more. */
const sweeps = 6

/**
 * Tables from left to right, those that are named to the right of those that name them, and in each rank from top to bottom,
 * so that those that name one another stand near.
 */
export function rankTables(lines: readonly Line[]): readonly (readonly string[])[] {
  const order = inOrder(lines)
  const place = new Map(order.map((name, index) => [name, index]))
  const forward = lines.filter(([from, to]) => (place.get(from) ?? 0) < (place.get(to) ?? 0))
  const naming = othersOf(forward.map(([from, to]) => [to, from]))
  const named = othersOf(forward)
  const ranks = new Map<string, number>()
  const rankOf = (name: string): number => ranks.get(name) ?? 0
  for (const name of order) ranks.set(name, Math.max(-1, ...(naming.get(name) ?? []).map(rankOf)) + 1)
  // As near as can be to what it names.
  for (const name of order.toReversed()) {
    const to = named.get(name)
    if (to !== undefined) ranks.set(name, Math.min(...to.map(rankOf)) - 1)
  }
  const found = othersOf(order.map((name) => [rankOf(name), name]))
  const byRank = [...found].sort(([a], [b]) => a - b).map(([, names]) => names)
  return untangle(byRank, lines)
}

/** The second ones of pairs by the first. */
function othersOf<Key>(pairs: readonly (readonly [Key, string])[]): ReadonlyMap<Key, readonly string[]> {
  const found = new Map<Key, string[]>()
  for (const [key, other] of pairs) {
    const known = found.get(key)
    if (known === undefined) found.set(key, [other])
    else known.push(other)
  }
  return found
}

/** Tables in the order of their lines: each before those that it names, but where these lead back to it. */
function inOrder(lines: readonly Line[]): readonly string[] {
  const named = othersOf(lines)
  const seen = new Set<string>()
  const done: string[] = []
  for (const [first] of lines) {
    if (seen.has(first)) continue
    seen.add(first)
    // Without recursion: a chain may be as long as there are tables.
    const open = [{ name: first, next: 0 }]
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const to = named.get(top.name)?.[top.next]
      top.next += 1
      if (to === undefined) {
        done.push(top.name)
        open.pop()
      } else if (!seen.has(to)) {
        seen.add(to)
        open.push({ name: to, next: 0 })
      }
    }
  }
  return done.toReversed()
}

/** Orders each rank by where the neighbours of its tables stand, from left to right and back. */
function untangle(ranks: readonly (readonly string[])[], lines: readonly Line[]): readonly (readonly string[])[] {
  const neighbours = othersOf(lines.flatMap(([from, to]) => [[from, to] as const, [to, from] as const]))
  const height = new Map<string, number>()
  const stand = (names: readonly string[]) => {
    for (const [index, name] of names.entries()) height.set(name, (index + 0.5) / names.length)
    return names
  }
  const wantedOf = (name: string): number => mean((neighbours.get(name) ?? []).map((one) => height.get(one) ?? 0))
  const settle = (names: readonly string[]) => {
    const wanted = new Map(names.map((name) => [name, wantedOf(name)]))
    return stand(names.toSorted((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0)))
  }
  let ordered = ranks.map(stand)
  // Each sweep goes the other way.
  for (let sweep = 0; sweep < sweeps; sweep += 1) ordered = ordered.map(settle).toReversed()
  return sweeps % 2 === 0 ? ordered : ordered.toReversed()
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
