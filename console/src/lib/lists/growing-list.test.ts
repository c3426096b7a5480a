import { expect, test } from 'vitest'
import { type GrowingList, growAtHead, growAtTail } from './growing-list.ts'

interface Item {
  readonly id: string
  readonly rows?: number
}

const list = (ids: string, next: string | null): GrowingList<Item> => ({
  items: [...ids].map((id) => ({ id })),
  next,
})
const ids = (grown: GrowingList<Item>) => grown.items.map(({ id }) => id).join('')
const idOf = ({ id }: Item) => id

test('what is new stands above what was there, and older pages stay', () => {
  const grown = growAtHead(list('edcba', null), list('gfe', 'e'), idOf)
  expect(ids(grown)).toBe('gfedcba')
  expect(grown.next).toBeNull()
})

test('an item that came again is shown as it is now', () => {
  const grown = growAtHead(list('ba', 'a'), { items: [{ id: 'b', rows: 3 }], next: 'b' }, idOf)
  expect(grown.items).toEqual([{ id: 'b', rows: 3 }, { id: 'a' }])
})

test('a page that does not reach the old items starts again, so that no gap is hidden', () => {
  const grown = growAtHead(list('cba', null), list('zyx', 'x'), idOf)
  expect(ids(grown)).toBe('zyx')
  expect(grown.next).toBe('x')
})

test('an older page is added once', () => {
  const kept = list('edc', 'c')
  expect(ids(growAtTail(growAtTail(kept, list('cba', null), idOf), list('cba', null), idOf))).toBe('edcba')
})
