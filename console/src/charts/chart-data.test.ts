import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { type ChartData, chartCsv, chartFileName, stackedData } from './chart-data.ts'

const data: ChartData = {
  along: 'Time',
  isTime: true,
  xs: ['2026-01-02T03:04:00Z', '2026-01-02T03:05:00.250Z'].map((at) => Date.parse(at) / 1000),
  labels: ['03:04', '03:05'],
  series: [
    { name: 'Requests', values: [4, 0] },
    { name: 'p95', values: [18.25, null], unit: 'ms', isDrawn: false },
  ],
}

test('a file has all series, times in ISO 8601, units in the head, and nothing where nothing is known', () => {
  expect(chartCsv(data)).toBe(
    'Time,Requests,p95 (ms)\r\n2026-01-02T03:04:00.000Z,4,18.25\r\n2026-01-02T03:05:00.250Z,0,\r\n',
  )
})

test('names of series and rows come back from a file as they are, and none of them is a formula', () => {
  const labels = ['=1+1', '@sum', 'a "b", c\nd', '', '-2', '+cmd']
  const csv = chartCsv({
    ...{ along: '=along', isTime: false, xs: labels.map((_, index) => index), labels },
    series: [{ name: '-total', values: [1, -2, 1e21, 0.1, null, 3] }],
  })
  expect(Papa.parse<string[]>(csv, { skipEmptyLines: true }).data).toEqual([
    ["'=along", "'-total"],
    ["'=1+1", '1'],
    ["'@sum", '-2'],
    ['a "b", c\nd', '1e+21'],
    ['', '0.1'],
    ['-2', ''],
    ["'+cmd", '3'],
  ])
})

test.each([
  ['Requests a minute', 'requests-a-minute.csv'],
  ['total along ../../etc', 'total-along-etc.csv'],
  ['Größe along 日付', 'größe-along-日付.csv'],
  ['…', 'chart.csv'],
  ['x'.repeat(500), `${'x'.repeat(80)}.csv`],
])('the file of %s', (title, name) => {
  expect(chartFileName(title, 'csv')).toBe(name)
})

test('stacked series stand on those below them; numbers of another unit are left out', () => {
  const data = {
    ...{ along: 'Time', isTime: true, xs: [0, 60], labels: ['a', 'b'] },
    series: [
      { name: '5xx', values: [1, null] },
      { name: '2xx', values: [2, 3] },
      { name: 'p95', values: [100, 200], unit: 'ms', isDrawn: false },
    ],
  } as const
  expect(stackedData(data).series).toEqual([
    { name: '5xx', values: [3, 3] },
    { name: '2xx', values: [2, 3] },
  ])
})
