/** How alike two texts are, and which. */
export interface Match {
  readonly score: number
  readonly text: string
}

const simplify = (text: string): string => `-${text.toLowerCase().replace(/[^\p{L}\p{N}, ]/gu, '')}-`

function grams(text: string, size: number): ReadonlyMap<string, number> {
  const simple = simplify(text).padEnd(size, '-')
  const counts = new Map<string, number>()
  for (let at = 0; at + size <= simple.length; at += 1) {
    const gram = simple.slice(at, at + size)
    counts.set(gram, (counts.get(gram) ?? 0) + 1)
  }
  return counts
}

const length = (counts: ReadonlyMap<string, number>): number =>
  Math.sqrt([...counts.values()].reduce((sum, count) => sum + count * count, 0))

function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i += 1) {
    const above = row
    row = [i]
    for (let j = 1; j <= right.length; j += 1) {
      const change = (above[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      row.push(Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, change))
    }
  }
  return row[right.length] ?? 0
}

/** As alike as texts of these lengths can be: each letter that one has more is a change. */
const mostLikeness = (left: string, right: string): number =>
  1 - Math.abs(left.length - right.length) / Math.max(left.length, right.length, 1)

const likeness = (left: string, right: string): number =>
  1 - distance(left, right) / Math.max(left.length, right.length, 1)

/** Those that share three-letter pieces (else two-letter ones) with the text, the most alike first. */
function sharing(candidates: readonly string[], text: string, size: number): readonly string[] {
  const own = grams(text, size)
  const scored = candidates.flatMap((candidate) => {
    const other = grams(candidate, size)
    let dot = 0
    for (const [gram, count] of own) dot += count * (other.get(gram) ?? 0)
    return dot === 0 ? [] : [{ candidate, score: dot / (length(own) * length(other)) }]
  })
  scored.sort((left, right) => right.score - left.score)
  return scored.slice(0, 50).map(({ candidate }) => candidate)
}

/**
 * The texts that look like `text`, best first: pieces of letters choose the candidates, the edit distance ranks them.
 *
 * @param least the smallest likeness, 0 to 1, that counts
 * @see https://glench.github.io/fuzzyset.js/
 */
export function findAlike(candidates: readonly string[], text: string, least = 0.33): readonly Match[] {
  const wanted = text.toLowerCase()
  const exact = candidates.find((candidate) => candidate.toLowerCase() === wanted)
  if (exact !== undefined) return [{ score: 1, text: exact }]
  const fits = (candidate: string): boolean => mostLikeness(candidate.toLowerCase(), wanted) >= least
  // A text much longer than all of them is like none; to find that out letter by letter would take long.
  if (!candidates.some(fits)) return []
  for (const size of [3, 2]) {
    const found = sharing(candidates, wanted, size)
      .filter(fits)
      .map((candidate): Match => ({ score: likeness(candidate.toLowerCase(), wanted), text: candidate }))
      .filter(({ score }) => score >= least)
      .sort((left, right) => right.score - left.score)
    if (found.length > 0) return found
  }
  return []
}
