import { expect, test } from 'vitest'
import { placeOf, rowPx, type Scroll, scrolledTo, windowAt } from './window.ts'

const height = 640
const million = 1_000_000

/** The element that scrolls, with the head of the table above its rows. */
const mostOf = (count: number): number => Math.min(count * rowPx, 8_000_000) + rowPx - height
const scroll = (top: number, from: Scroll, count = million) => scrolledTo(top, from, count, mostOf(count), height)
const start: Scroll = { top: 0, offset: 0 }

/** Where a row stands in the element. */
const rowTop = (index: number, place: Scroll, count = million): number => {
  const { first, abovePx } = windowAt(place, height, count)
  return abovePx + (index - first) * rowPx
}

test('few rows stand where the element says, each pixel of it', () => {
  const place = scroll(100_000, start, 10_000)
  expect(place).toEqual({ top: 100_000, offset: 0 })
  const { first, end, abovePx, belowPx } = windowAt(place, height, 10_000)
  expect([abovePx, abovePx + (end - first) * rowPx + belowPx]).toEqual([first * rowPx, 10_000 * rowPx])
})

test('a jump leads to the rows at that part of a million, and an end to the last one', () => {
  const middle = scroll(mostOf(million) / 2, start)
  expect(windowAt(middle, height, million).first).toBeGreaterThan(499_000)
  expect(windowAt(middle, height, million).first).toBeLessThan(501_000)
  const last = scroll(mostOf(million), start)
  expect(windowAt(last, height, million)).toMatchObject({ end: million, belowPx: 0 })
  // The last row's lower edge is the lower edge of what is in sight, below the head.
  expect(rowTop(million - 1, last) + rowPx).toBe(last.top + height - rowPx)
})

test('steps move rows pixel by pixel, wherever they begin, up to the first and the last row', () => {
  for (const by of [-100, 100]) {
    let place = scroll(by < 0 ? 5 * height : mostOf(million) - 5 * height, start)
    let shown = place.top + place.offset
    const end = by < 0 ? 0 : million * rowPx + rowPx - height
    for (let step = 0; step < 1_000 && shown !== end; step += 1) {
      place = scroll(Math.min(mostOf(million), Math.max(0, place.top + by)), place)
      const next = by < 0 ? Math.max(0, shown + by) : Math.min(end, shown + by)
      shown = place.top + place.offset
      expect(shown).toBe(next)
      expect(place.top).toBeGreaterThanOrEqual(0)
      expect(place.top).toBeLessThanOrEqual(mostOf(million))
    }
    expect(shown).toBe(end)
  }
})

test('the rows in sight are drawn, where the element shows them, at every place of a million', () => {
  for (let part = 0; part <= 1000; part += 1) {
    const wanted = Math.round((part / 1000) * (million * rowPx + rowPx - height))
    const place = placeOf(wanted, million, mostOf(million), height)
    expect(place.top + place.offset).toBe(wanted)
    const { first, end } = windowAt(place, height, million)
    const seen = Math.min(million - 1, Math.floor(wanted / rowPx))
    expect(first).toBeLessThanOrEqual(seen)
    expect(end).toBeGreaterThanOrEqual(Math.min(million, Math.ceil((wanted + height) / rowPx)))
    expect(rowTop(seen, place)).toBe(seen * rowPx - place.offset)
  }
})

test('rows that became fewer are shown from what is left of them', () => {
  const last = scroll(mostOf(million), start)
  const { first, end, abovePx } = windowAt({ ...last, top: mostOf(1000) }, height, 1000)
  expect([end, abovePx]).toEqual([1000, first * rowPx])
})
