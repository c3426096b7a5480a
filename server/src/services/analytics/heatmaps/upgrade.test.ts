import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { analyticsTables } from '../index.ts'

const time = '2026-03-31 11:00:00.000'
const url = 'https://shop.test/menu'

const told = [
  {
    event: '$$heatmap',
    properties: { $heatmap_data: { [url]: [{ x: 1, y: 2, target_fixed: false, type: 'click' }] } },
  },
  {
    event: '$pageview',
    properties: { $prev_pageview_pathname: '/menu', $prev_pageview_max_content_percentage: 0.5 },
  },
  { event: '$web_vitals', properties: { $web_vitals_LCP_value: 900 } },
  { event: 'ordered', properties: {} },
]

test('an upgrade fills the tables of heat maps and web vitals with earlier events, and frees events of their columns', async ({
  clickhouse,
  onTestFinished,
}) => {
  const before = await mkdtemp(join(tmpdir(), 'clew-columns-'))
  onTestFinished(() => rm(before, { recursive: true, force: true }))
  cpSync(fileURLToPath(analyticsTables.clickhouse), before, {
    recursive: true,
    filter: (path) => !/001[23]_/.test(path),
  })
  await clickhouse.migrate('analytics', pathToFileURL(`${before}/`))
  const events = told.map(({ event, properties }, index) => ({
    ...{ uuid: `00000000-0000-4000-8000-00000000000${index}`, event, distinct_id: 'm1', session_id: 's1' },
    ...{ timestamp: time, client_time: time, received_at: time, current_url: `${url}?table=7` },
    properties: JSON.stringify({ $viewport_width: 1200, ...properties }),
  }))
  await clickhouse.insert('events', events)
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  const read = (text: string) => clickhouse.query({ text, parameters: {} })
  const pages = 'select page, what, viewport_width, length(points) as points, depth from page_uses final order by what'
  const made = [
    { page: url, what: 'position', viewport_width: 1200, points: '1', depth: 0 },
    { page: url, what: 'scroll', viewport_width: 1200, points: '0', depth: 0.5 },
  ]
  expect(await read(pages)).toEqual(made)
  expect(await read('select path, lcp, inp from web_vitals final')).toEqual([{ path: '/menu', lcp: 900, inp: -2 }])
  const columns = `select name from system.columns where database = currentDatabase() and table = 'events'
    and match(name, '^(heat|viewport|scroll|vital)')`
  expect(await read(columns)).toEqual([])
  // What comes once more is there once.
  await clickhouse.insert('events', events)
  expect(await read(pages)).toEqual(made)
})
