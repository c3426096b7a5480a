import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createClipper } from './clipper.ts'

const packed = (value: unknown): string => gzipSync(JSON.stringify(value)).toString('latin1')
const meta = (timestamp: number, width = 800) => ({
  type: 4,
  timestamp,
  data: { href: 'http://x.test/', width, height: 600 },
})
const page = {
  node: { type: 0, id: 1, childNodes: [{ type: 2, id: 2, tagName: 'p', attributes: {}, childNodes: [] }] },
}
const full = (timestamp: number) => ({ type: 2, timestamp, data: packed(page), cv: '2024-10' })
const change = (timestamp: number, source: number, data: object = {}) => ({
  type: 3,
  timestamp,
  data: { source, ...data },
})
const adding = (timestamp: number, id: number, textContent: string) => ({
  ...change(timestamp, 0, { adds: packed([{ parentId: 2, nextId: null, node: { type: 3, id, textContent } }]) }),
  cv: '2024-10',
})
const span = { fromMs: 1000, toMs: 2000 }

test('a clip begins with the page as it was then, and holds nothing from before or after', () => {
  const clipper = createClipper(span)
  const before = [
    meta(0),
    full(10),
    adding(500, 5, 'before'),
    change(600, 1),
    change(700, 4, { width: 400, height: 300 }),
  ]
  expect(clipper.take('w1', before)).toEqual([])
  const [opening, snapshot, ...rest] = clipper.take('w1', [adding(1500, 6, 'within'), change(2001, 1)]) as {
    type: number
    timestamp: number
    data: never
  }[]
  expect(opening).toEqual({ type: 4, timestamp: 1000, data: { href: 'http://x.test/', width: 400, height: 300 } })
  expect(snapshot).toMatchObject({ type: 2, timestamp: 1000 })
  expect(JSON.stringify(snapshot)).toContain('before')
  expect(JSON.stringify(snapshot)).not.toContain('within')
  expect(rest).toEqual([adding(1500, 6, 'within')])
})

test('a clip begins at the address that the page had then, also where the application changed it by itself', () => {
  const clipper = createClipper(span)
  const moved = (timestamp: number, href: string) => ({
    ...{ type: 5, timestamp },
    data: { tag: '$url_changed', payload: { href } },
  })
  const late = moved(1200, 'http://x.test/later')
  const idle = { type: 5, timestamp: 700, data: { tag: 'sessionIdle', payload: { href: 'http://x.test/none' } } }
  clipper.take('w1', [meta(0), full(10), moved(500, 'http://x.test/orders/7'), idle])
  const [opening, , ...rest] = clipper.take('w1', [late])
  expect(opening).toMatchObject({ type: 4, data: { href: 'http://x.test/orders/7', width: 800 } })
  expect(rest).toEqual([late])
})

test('of fields and scrolling the last is kept, of style sheets all in their order, of nodes that are gone nothing', () => {
  const clipper = createClipper(span)
  clipper.take('w1', [
    ...[meta(0), full(10), change(20, 5, { id: 2, text: 'a' }), change(30, 5, { id: 2, text: 'b' })],
    ...[change(40, 3, { id: 2, y: 9 }), change(50, 5, { id: 99, text: 'gone' })],
    ...[change(60, 8, { styleId: 1, adds: packed([{ rule: 'a{}' }]) }), change(70, 8, { styleId: 1, adds: [] })],
  ])
  const found = clipper.take('w1', [change(1000, 1)]) as { data: object; timestamp: number }[]
  expect(found.slice(2, -1).map(({ timestamp }) => timestamp)).toEqual([1000, 1000, 1000, 1000])
  expect(found.slice(2, -1).map(({ data }) => data)).toEqual([
    { source: 8, styleId: 1, adds: [{ rule: 'a{}' }] },
    { source: 8, styleId: 1, adds: [] },
    { source: 5, id: 2, text: 'b' },
    { source: 3, id: 2, y: 9 },
  ])
})

test('a page that is loaded within the clip needs no other, and windows do not meet', () => {
  const clipper = createClipper(span)
  clipper.take('w1', [meta(0), full(10)])
  expect(clipper.take('w2', [meta(1200), full(1210)])).toEqual([meta(1200), full(1210)])
  expect(clipper.standing()).toBeNull()
})

test('a page that stands still through the clip is shown as it stands', () => {
  const clipper = createClipper(span)
  clipper.take('w1', [meta(0), full(10), adding(500, 5, 'still')])
  const standing = clipper.standing()
  expect(standing?.lastMs).toBe(500)
  expect(JSON.stringify(standing?.events)).toContain('still')
})
