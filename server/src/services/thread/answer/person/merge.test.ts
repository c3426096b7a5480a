import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PersonMoment, PersonMomentKind } from '../../schemas/person-line.ts'
import { type LinePlace, mergePages, type SourcePage } from './merge.ts'

const moment = (kind: PersonMomentKind, id: number, atMs: number): PersonMoment => ({
  ...{ kind, id: String(id).padStart(3, '0'), at: new Date(atMs).toISOString(), sessionId: null },
  ...{ event: null, session: null, request: null, change: null, error: null, mail: null },
})
const nameOf = ({ kind, id }: PersonMoment): string => `${kind}:${id}`

/** A source as the engines are: the newest up to an instant, so many of them. */
const read = (all: readonly PersonMoment[], untilMs: number, limit: number): SourcePage => {
  const rows = all
    .filter(({ at }) => Date.parse(at) <= untilMs)
    .toSorted((left, right) => right.at.localeCompare(left.at))
    .slice(0, limit)
  const last = rows.at(-1)
  return { moments: rows, wholeFromMs: rows.length < limit || last === undefined ? null : Date.parse(last.at) + 1 }
}

/** All pages of a line, one after another. */
function pagesOf(sources: readonly (readonly PersonMoment[])[], limit: number): readonly PersonMoment[] {
  const shown: PersonMoment[] = []
  let place: LinePlace | null = null
  for (let turn = 0; turn < 1000; turn += 1) {
    const untilMs: number = place?.atMs ?? 1_000_000
    const pages = sources.map((all) => read(all, untilMs, limit))
    const page = mergePages(pages, place, limit)
    shown.push(...page.moments)
    if (page.next === null) return shown
    place = page.next
  }
  throw new Error('The line has no end.')
}

test('pages of a line have every moment of every source once, newest first', () => {
  const times = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 40 })
  fc.assert(
    fc.property(times, times, times, fc.integer({ min: 7, max: 20 }), (events, requests, errors, limit) => {
      // No source has more moments in one instant than a page holds.
      const few = (all: readonly number[]) =>
        all.filter((at, index) => all.slice(0, index).filter((one) => one === at).length < 3)
      const sources = [
        few(events).map((at, id) => moment('event', id, at)),
        few(requests).map((at, id) => moment('request', id, at)),
        few(errors).map((at, id) => moment('error', id, at)),
      ]
      const shown = pagesOf(sources, limit)
      expect(shown.map(nameOf).toSorted()).toEqual(sources.flat().map(nameOf).toSorted())
      expect(shown.map(({ at }) => at)).toEqual(
        shown
          .map(({ at }) => at)
          .toSorted()
          .toReversed(),
      )
    }),
  )
})

test('a page goes no further back than the source that may know more', () => {
  const page = mergePages(
    [
      { moments: [moment('event', 1, 50), moment('event', 2, 40)], wholeFromMs: 40 },
      { moments: [moment('mail', 1, 45), moment('mail', 2, 10)], wholeFromMs: null },
    ],
    null,
    10,
  )
  expect(page.moments.map(nameOf)).toEqual(['event:001', 'mail:001', 'event:002'])
  expect(page.next).toEqual({ atMs: 40, key: 'event:002' })
})

test('where all that was read is of others, the next page goes on below it', () => {
  expect(mergePages([{ moments: [], wholeFromMs: 40 }], null, 10)).toEqual({
    moments: [],
    next: { atMs: 40, key: '~' },
  })
  expect(mergePages([{ moments: [], wholeFromMs: null }], null, 10)).toEqual({ moments: [], next: null })
})
