import { expect, test } from 'vitest'
import { addressAt } from './addresses.ts'
import type { WindowTimeline } from './timeline.ts'

const recorded: WindowTimeline = {
  windowId: 'w',
  originMs: 500,
  playableMs: 500,
  endMs: 9000,
  missing: [],
  active: [],
  events: [
    { type: 4, timestamp: 1000, data: { href: 'https://shop.test/', width: 800, height: 600 } },
    { type: 2, timestamp: 1001, data: {} },
    { type: 5, timestamp: 3000, data: { tag: '$url_changed', payload: { href: 'https://shop.test/basket' } } },
    { type: 5, timestamp: 4000, data: { tag: 'other', payload: { href: 'https://other.test/' } } },
  ],
}

test('a page’s address is the one it was loaded from, until it changes it', () => {
  const at = [0, 500, 2499, 2500, 8000].map((ms) => addressAt(recorded, ms)?.replace('https://shop.test', ''))
  expect(at).toEqual(['/', '/', '/', '/basket', '/basket'])
})

test('a recording without an address has none', () => {
  expect(addressAt({ ...recorded, events: [{ type: 2, timestamp: 1, data: {} }] }, 100)).toBeUndefined()
})
