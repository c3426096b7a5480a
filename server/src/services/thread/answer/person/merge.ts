import type { PersonMoment } from '../../schemas/person-line.ts'

/** What one source has of a person up to an instant, newest first. */
export interface SourcePage {
  readonly moments: readonly PersonMoment[]
  /** The instant, in milliseconds, from which on it is whole; null: there is nothing older. */
  readonly wholeFromMs: number | null
}

/** The place of a moment on the line: its instant in milliseconds, and what orders those of one instant. */
export interface LinePlace {
  readonly atMs: number
  readonly key: string
}

/** What one page of the line came to. */
export interface LinePage {
  readonly moments: readonly PersonMoment[]
  readonly next: LinePlace | null
}

const keyOf = ({ kind, id }: PersonMoment): string => `${kind}:${id}`
const placeOf = (moment: PersonMoment): LinePlace => ({ atMs: Date.parse(moment.at), key: keyOf(moment) })

const comesAfter = (place: LinePlace, { atMs, key }: LinePlace): boolean =>
  place.atMs < atMs || (place.atMs === atMs && place.key < key)

/**
 * Joins the pages of sources into one of the line, newest first. A source that may know more is only believed as far back
 * as it is whole, so that nothing is left out between two pages.
 *
 * @param before the place that the page comes after; null for the first one
 */
export function mergePages(pages: readonly SourcePage[], before: LinePlace | null, limit: number): LinePage {
  const wholeFromMs = Math.max(...pages.map((page) => page.wholeFromMs ?? Number.NEGATIVE_INFINITY))
  const all = pages
    .flatMap(({ moments }) => moments)
    .map((moment) => ({ moment, place: placeOf(moment) }))
    .filter(({ place }) => before === null || comesAfter(place, before))
    .toSorted((left, right) => (comesAfter(left.place, right.place) ? 1 : -1))
  const sure = all.filter(({ place }) => place.atMs >= wholeFromMs)
  const shown = sure.slice(0, limit)
  const last = shown.at(-1)
  if (shown.length === all.length && wholeFromMs === Number.NEGATIVE_INFINITY)
    return { moments: inOrder(shown), next: null }
  if (last !== undefined && (sure.length > shown.length || last.place.atMs === wholeFromMs))
    return { moments: inOrder(shown), next: last.place }
  // Nothing of that instant was shown: all of it is still to come.
  return { moments: inOrder(shown), next: { atMs: wholeFromMs, key: highestKey } }
}

/** Above that of every moment. */
const highestKey = '~'

const inOrder = (shown: readonly { readonly moment: PersonMoment }[]): readonly PersonMoment[] =>
  shown.map(({ moment }) => moment)
