import { expect, test } from 'vitest'
import ndjson from '../../test/fixtures/two-windows.ndjson?raw'
import { createDecoder } from './decode.ts'
import { pointerAt, pointerPath } from './pointer.ts'

const path = pointerPath([
  {
    type: 3,
    timestamp: 1000,
    data: {
      source: 1,
      positions: [
        { x: 0, y: 0, timeOffset: -100 },
        { x: 10, y: 20 },
      ],
    },
  },
  { type: 3, timestamp: 1100, data: { source: 2, type: 2, x: 30, y: 40, id: 1 } },
  { type: 3, timestamp: 1200, data: { source: 2, type: 2, x: 0, y: 0, id: 1 } },
])

test('the pointer moves evenly between two looks of the recorder', () => {
  expect(pointerAt(path, 950).cursor).toEqual({ x: 5, y: 10 })
  expect(pointerAt(path, 5000).cursor).toEqual({ x: 30, y: 40 })
})

test('a click is ringed at its moment and fades; one by keyboard has no place', () => {
  expect(pointerAt(path, 1000).rings).toEqual([])
  expect(pointerAt(path, 1100).rings).toEqual([{ x: 30, y: 40, age: 0 }])
  expect(pointerAt(path, 1450).rings[0]?.age).toBeCloseTo(0.5)
  expect(pointerAt(path, 1900).rings).toEqual([])
})

test('at every click of a real recording the ring and the cursor are where it was', async () => {
  const { windows } = await createDecoder().add(ndjson)
  for (const { events } of windows) {
    const real = pointerPath(events)
    expect(real.clicks.length).toBeGreaterThan(0)
    for (const click of real.clicks) {
      const { cursor, rings } = pointerAt(real, click.at)
      expect(cursor).toEqual({ x: click.x, y: click.y })
      expect(rings.at(-1)).toMatchObject({ x: click.x, y: click.y, age: 0 })
    }
  }
})
