import { expect, test } from 'vitest'
import type { HeldMessage } from '../decode.ts'
import type { Part } from './outline.ts'
import { createPlaces } from './places.ts'

const begunMs = 1_000_000
const message = (fromMs: number, hasPage = false): HeldMessage => ({
  ...{ windowId: 'a', fromMs: begunMs + fromMs, toMs: begunMs + fromMs + 900, hasPage, length: 70 },
  active: { fromMs: begunMs + fromMs + 100, toMs: begunMs + fromMs + 200 },
})
const part: Part = {
  ...{ windowId: 'a', tail: 'one', messages: 1, fromMs: 0, lastFromMs: 0, toMs: 900, hasPage: true, bytes: 70 },
  active: { fromMs: 100, toMs: 200 },
}
const minute: Part = {
  ...part,
  tail: '',
  messages: 4,
  fromMs: 10_000,
  lastFromMs: 50_000,
  toMs: 50_900,
  hasPage: false,
}
const outline = { begunMs, parts: [part, minute] }

test('a message is of its own part, else of the minute in which it begins', () => {
  const { partOf } = createPlaces(outline)
  expect(partOf('one', message(0))).toBe(part)
  expect(partOf('two', message(50_000))).toBe(minute)
  expect(partOf('two', message(50_001))).toBeUndefined()
  expect(partOf('two', { ...message(20_000), windowId: 'b' })).toBeUndefined()
})

test('a message that came since has a part from then on, which says of it what an outline does', () => {
  const places = createPlaces(outline)
  const damaged = { ...message(0), fromMs: Infinity, toMs: -Infinity, active: null }
  const late = message(5000)
  const messages = new Map([
    ['one', message(0)],
    ['two', message(20_000)],
    ['new', message(60_000, true)],
    ['late', late],
    ['damaged', damaged],
  ])
  const grown = places.grown(outline, messages)
  const added = { ...part, messages: 1, tail: 'late', fromMs: 5000, lastFromMs: 5000, toMs: 5900, hasPage: false }
  expect(grown.parts.map(({ tail }) => tail)).toEqual(['one', 'late', '', 'new'])
  expect(grown.parts[1]).toEqual({ ...added, active: { fromMs: 5100, toMs: 5200 } })
  expect(grown.parts[3]?.hasPage).toBe(true)
  expect(places.partOf('late', late)).toBe(grown.parts[1])
  expect(places.grown(grown, messages)).toBe(grown)
})
