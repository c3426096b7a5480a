import { expect, test } from 'vitest'
import type { Heatmap } from '../../lib/api/schemas.ts'
import { areaAround, areaText, bandsOf, cellsOf, countText, heatChart, pointsIn, scrollChart } from './heat-data.ts'

const map: Heatmap = {
  ...{ points: 10, fixedPoints: 1, visitors: 3, sessions: 4, width: 1200, height: 700, gridColumns: 160, rowPx: 10 },
  cells: { columns: [48, 120], rows: [22, 100], points: [7, 2] },
  fixedCells: { columns: [2], rows: [2], points: [1] },
  ...{ isCut: false, elements: [] },
}

test('a cell has its place on the page: a part of the width, and pixels', () => {
  const [first] = cellsOf(map, false)
  expect(first).toEqual({ fromX: 0.3, toX: 0.30625, fromY: 220, toY: 230, points: 7 })
  expect(first && areaText(first)).toBe('30–30.6 % across, 220–230 px down')
  expect(cellsOf(map, true).map(({ points }) => points)).toEqual([1])
})

test('a place counts the cells that it touches, and stays on the page', () => {
  const cells = cellsOf(map, false)
  expect(pointsIn(cells, areaAround(0.3, 225, 1200, 14))).toBe(7)
  expect(pointsIn(cells, areaAround(0.3, 260, 1200, 14))).toBe(0)
  expect(areaAround(0, 3, 1200, 12)).toEqual({ fromX: 0, toX: 0.01, fromY: 0, toY: 15 })
  expect(areaAround(1, 100, 1200, 12)).toEqual({ fromX: 0.99, toX: 1, fromY: 88, toY: 112 })
})

test.each([
  [1, '1 click'],
  [0, '0 clicks'],
  [12_000, '12,000 clicks'],
])('%s clicks are “%s”', (points, text) => expect(countText('click', points)).toBe(text))

test('the numbers of a map are its cells, and those of a scroll map its bands', () => {
  const heat = heatChart(cellsOf(map, false), 'click')
  expect(heat.labels[1]).toBe('75–75.6 % across, 1000–1010 px down')
  expect(heat.series.map(({ name, values }) => [name, values])).toEqual([
    ['Clicks', [7, 2]],
    ['Across', [30, 75]],
    ['Down in pixels', [220, 1000]],
  ])
  const bands = bandsOf({ views: 8, reached: [8, 2], height: 2000, fold: 700 })
  expect(bands).toEqual([
    { from: 0, to: 0.5, reached: 8, share: 100 },
    { from: 0.5, to: 1, reached: 2, share: 25 },
  ])
  expect(scrollChart(bands).labels).toEqual(['0–50 %', '50–100 %'])
  expect(bandsOf({ views: 0, reached: [0], height: 0, fold: 0 })[0]?.share).toBe(0)
})
