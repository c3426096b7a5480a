import { expect, test } from 'vitest'
import { createAxis, wholeView } from './axis/axis.ts'
import { densityOf } from './paint-density.ts'

test('each column counts its points, and says whether one of them is an error', () => {
  const axis = createAxis({ durationMs: 3000, width: 9, idle: [] }, wholeView)
  const point = (atMs: number) => ({ id: `${atMs}`, look: 'dot', atMs, label: '', cause: '' }) as const
  const columns = densityOf(
    [
      { id: 'pages', label: '', marks: [{ ...point(0), look: 'segment', untilMs: 3000 }] },
      { id: 'clicks', label: '', marks: [point(0), point(10), point(3000)] },
      { id: 'errors', label: '', marks: [point(2999)] },
    ],
    axis,
  )
  expect(columns).toEqual([
    { count: 2, bad: false },
    { count: 0, bad: false },
    { count: 2, bad: true },
  ])
})
