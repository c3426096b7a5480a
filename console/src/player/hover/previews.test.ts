import { expect, test } from 'vitest'
import { layOut } from '../timeline.ts'
import { createPreviews, pageAt } from './previews.ts'

const click = (timestamp: number) => ({ type: 3, timestamp, data: { source: 2, type: 2, x: 5, y: 5, id: 3 } })
const snapshot = (timestamp: number) => ({ type: 2, timestamp, data: { node: { type: 0, id: 1 } } })
const timeline = layOut(
  {
    damaged: 0,
    windows: [
      { windowId: 'a', events: [snapshot(1000), click(2000), click(61_000)] },
      { windowId: 'b', events: [snapshot(3000), click(4000)] },
    ],
  },
  1000,
  62_000,
)

/** @param costMs what it takes to draw a page */
function stand(costMs: number) {
  let clock = 0
  let pending: readonly { readonly handle: number; readonly step: () => void }[] = []
  let handles = 0
  const drawn: string[] = []
  const previews = createPreviews(
    {
      now: () => clock,
      request: (step) => {
        handles += 1
        pending = [...pending, { handle: handles, step }]
        return handles
      },
      cancel: (handle) => {
        pending = pending.filter((one) => one.handle !== handle)
      },
    },
    ({ recorded, atMs }) => {
      clock += costMs
      drawn.push(`${recorded.windowId} ${atMs}`)
    },
  )
  const pass = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 10) {
      clock += 10
      const due = pending
      pending = []
      for (const { step } of due) step()
    }
  }
  return {
    drawn,
    pass,
    point: (ms: number) => previews.want(pageAt(timeline, null, ms)),
    leave: () => previews.want(undefined),
  }
}

test('the page of a moment is that of the window that the person had before them, or of the one that is kept', () => {
  expect(pageAt(timeline, null, 500)?.recorded.windowId).toBe('a')
  expect(pageAt(timeline, null, 2500)?.recorded.windowId).toBe('b')
  expect(pageAt(timeline, 'a', 2500)?.recorded.windowId).toBe('a')
  expect(pageAt(layOut({ damaged: 0, windows: [] }, 0, 1000), null, 500)).toBeUndefined()
})

test('moments between which nothing was recorded have one page', () => {
  const keyOf = (ms: number) => pageAt(timeline, 'a', ms)?.key
  expect(keyOf(1001)).toBe(keyOf(59_999))
  expect(keyOf(999)).not.toBe(keyOf(1000))
  expect(keyOf(59_999)).not.toBe(keyOf(60_000))
})

test('the first page waits until the pointer rests, and only the last that was pointed at is drawn', () => {
  const { drawn, pass, point } = stand(50)
  for (let ms = 100; ms <= 900; ms += 100) {
    point(ms)
    pass(50)
  }
  expect(drawn).toEqual([])
  pass(120)
  expect(drawn).toEqual(['a 900'])
})

test('what looks as it is drawn is not drawn again, and quick pages follow with each frame', () => {
  const { drawn, pass, point } = stand(1)
  point(1100)
  pass(150)
  point(1500)
  pass(150)
  expect(drawn).toEqual(['a 1100'])
  point(2500)
  pass(10)
  expect(drawn).toEqual(['a 1100', 'b 2500'])
})

test('a pointer that leaves takes the page back that was still to be drawn', () => {
  const { drawn, pass, point, leave } = stand(50)
  point(500)
  pass(50)
  leave()
  pass(1000)
  expect(drawn).toEqual([])
})
