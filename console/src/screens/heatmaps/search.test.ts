import { expect, test } from 'vitest'
import { parseArea, readHeatmapsSearch, renderArea } from './search.ts'

test('a link keeps what it understands', () => {
  const link = {
    page: 'https://a.test/*',
    device: 'phone',
    kind: 'scroll',
    range: '7d',
    fixed: true,
    area: '10-20.5,30-40',
  }
  expect(readHeatmapsSearch(link)).toEqual(link)
  expect(readHeatmapsSearch({ device: 'watch', kind: 'taps', range: '1y', fixed: 'yes', area: '5', q: '' })).toEqual({})
})

test('an area is written as hundredths and pixels, and read again', () => {
  const text = renderArea({ fromX: 0.30625, toX: 0.5, fromY: 120.4, toY: 160 })
  expect(text).toBe('30.63-50,120-160')
  expect(parseArea(text)).toEqual({ fromX: 0.3063, toX: 0.5, fromY: 120, toY: 160 })
  expect(renderArea({ fromX: -1, toX: 2, fromY: -5, toY: 2e6 })).toBe('0-100,0-1000000')
})

test.each(['', '1-2', '50-40,1-2', '1-101,1-2', '1-2,9-8', '1-2,1-9999999', 'a-b,c-d', '1-2,1-2,3'])(
  '“%s” is no area',
  (text) => expect(parseArea(text)).toBeNull(),
)
