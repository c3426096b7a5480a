import { cpSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
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

const pages = 'select page, what, viewport_width, length(points) as points, depth from page_uses final order by what'
const made = [
  { page: url, what: 'position', viewport_width: 1200, points: '1', depth: 0 },
  { page: url, what: 'scroll', viewport_width: 1200, points: '0', depth: 0.5 },
]
const read = ({ query }: Pick<ClickHouse, 'query'>, text: string) => query({ text, parameters: {} })

/** Applies the migrations of analytics but for some of them, and stores what visitors did. */
async function storeBefore(
  clickhouse: Pick<ClickHouse, 'migrate' | 'insert'>,
  later: RegExp,
  onTestFinished: (work: () => Promise<void>) => void,
) {
  const before = await mkdtemp(join(tmpdir(), 'clew-columns-'))
  onTestFinished(() => rm(before, { recursive: true, force: true }))
  cpSync(fileURLToPath(analyticsTables.clickhouse), before, { recursive: true, filter: (path) => !later.test(path) })
  await clickhouse.migrate('analytics', pathToFileURL(`${before}/`))
  const events = told.map(({ event, properties }, index) => ({
    ...{ uuid: `00000000-0000-4000-8000-00000000000${index}`, event, distinct_id: 'm1', session_id: 's1' },
    ...{ timestamp: time, client_time: time, received_at: time, current_url: `${url}?table=7` },
    properties: JSON.stringify({ $viewport_width: 1200, ...properties }),
  }))
  await clickhouse.insert('events', events)
  return events
}

test('an upgrade fills the tables of heat maps and web vitals with earlier events, and frees events of their columns', async ({
  clickhouse,
  onTestFinished,
}) => {
  const events = await storeBefore(clickhouse, /001[2-9]_/, onTestFinished)
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  expect(await read(clickhouse, pages)).toEqual(made)
  expect(await read(clickhouse, 'select path, lcp, inp from web_vitals final')).toEqual([
    { path: '/menu', lcp: 900, inp: -2 },
  ])
  const columns = `select name from system.columns where database = currentDatabase() and table = 'events'
    and match(name, '^(heat|viewport|scroll|vital)')`
  expect(await read(clickhouse, columns)).toEqual([])
  // What comes once more is there once.
  await clickhouse.insert('events', events)
  expect(await read(clickhouse, pages)).toEqual(made)
})

const byKind = (await readFile(new URL('0014_uses_by_kind.sql', analyticsTables.clickhouse), 'utf8'))
  .split(/;$/m)
  .slice(0, -1)

test('what processes of before store while rows get the other order is there', async ({
  clickhouse,
  onTestFinished,
}) => {
  const events = await storeBefore(clickhouse, /001[4-9]_/, onTestFinished)
  for (const text of byKind) {
    if (/^create or replace table page_uses /m.test(text))
      await clickhouse.insert(
        'events',
        events.map((event) => ({ ...event, distinct_id: 'beside' })),
      )
    await clickhouse.command({ text, parameters: { step: 0, steps: 1 } })
  }
  expect(await read(clickhouse, pages)).toEqual(made)
  await clickhouse.insert('migrations', [{ room: 'analytics', name: '0014_uses_by_kind.sql' }])
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  expect(await read(clickhouse, pages)).toEqual(made.flatMap((row) => [row, row]))
})

test.for(byKind.map((_, done) => done + 1))(
  'rows get the other order however an upgrade was interrupted: after %i statements',
  async (done, { clickhouse, onTestFinished }) => {
    const events = await storeBefore(clickhouse, /001[4-9]_/, onTestFinished)
    for (const text of byKind.slice(0, done)) await clickhouse.command({ text, parameters: { step: 0, steps: 1 } })
    await clickhouse.migrate('analytics', analyticsTables.clickhouse)
    expect(await read(clickhouse, pages)).toEqual(made)
    const tables = `select name, sorting_key like 'toMonday(client\\_time), what, kind, page,%' as is_by_kind
      from system.tables where database = currentDatabase() and name like 'page\\_uses%' and engine like '%Tree'`
    expect(await read(clickhouse, tables)).toEqual([{ name: 'page_uses', is_by_kind: 1 }])
    // What comes afterwards is told by the view as before.
    await clickhouse.insert(
      'events',
      events.map((event) => ({ ...event, distinct_id: 'm2' })),
    )
    expect(await read(clickhouse, pages)).toEqual(made.flatMap((row) => [row, row]))
  },
)
