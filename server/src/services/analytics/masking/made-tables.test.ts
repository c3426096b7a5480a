import { expect } from 'vitest'
import { test as base } from '../../../../test/harness.ts'
import type { MaskList } from '../../../ground/privacy/masks.ts'
import { eventColumns } from '../event/event-line.ts'
import { analyticsTables } from '../index.ts'
import { rewriteEvents } from './lines.ts'
import { maskedStores } from './stores.ts'

const url = 'https://shop.test/menu?table=7#/soups?email=ada@x.test'
const time = '2026-03-31 11:00:00.000'
const point = (type: string) => ({ x: 10, y: 20, target_fixed: true, type })
const seen = { $viewport_width: 1200, $viewport_height: 800, $current_url: url, $geoip_country_code: 'PT' }

/** What a browser tells of a page, in the order of `eventColumns`. */
const told: readonly (readonly [event: string, chain: string, properties: object])[] = [
  ['$$heatmap', '', { $heatmap_data: { [url]: [point('click'), point('mousemove')] } }],
  [
    '$pageleave',
    '',
    {
      $prev_pageview_pathname: '/orders&email=ada@x.test',
      $prev_pageview_max_content: 700,
      $prev_pageview_max_content_percentage: 0.7,
    },
  ],
  ['$autocapture', 'a:text="Buy"href="/x?email=ada@x.test"', { $event_type: 'click' }],
  ['$rageclick', 'a:text="Buy"', {}],
  ['$web_vitals', '', { $web_vitals_LCP_value: 900, $web_vitals_CLS_value: 'none' }],
]

const lineOf = ([event, chain, more]: (typeof told)[number], index: number): Buffer => {
  const values: Partial<Record<(typeof eventColumns)[number], unknown>> = {
    ...{ uuid: `00000000-0000-4000-8000-00000000000${index}`, event, distinct_id: 'm1', session_id: 's1' },
    ...{ timestamp: time, client_time: time, received_at: time, current_url: url, elements_chain: chain },
    ...{ browser: 'Chrome', os: 'iOS', device_type: 'Mobile', person_profile: true, sent_at: null },
    properties: { ...seen, $elements_chain: chain, $browser: 'Chrome', $os: 'iOS', $device_type: 'Mobile', ...more },
  }
  return Buffer.from(JSON.stringify(eventColumns.map((name) => (name in values ? values[name] : ''))))
}

const test = base.extend('world', async ({ clickhouseOfFile: clickhouse, db }, { onCleanup }) => {
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  const empty = async (): Promise<void> => {
    for (const table of ['events', 'visitor_days', 'page_uses', 'web_vitals'])
      await clickhouse.command({ text: `truncate table ${table}`, parameters: {} })
  }
  onCleanup(empty)
  const stores = maskedStores({ clickhouse, sql: db.admin })
  return {
    clickhouse,
    empty,
    store: (lines: readonly Buffer[]) => clickhouse.insertLines('events', lines, { columns: eventColumns }),
    /** What is stored is masked. @returns the rows that held something, by store */
    async mask(list: MaskList): Promise<Record<string, number>> {
      const work = { signal: new AbortController().signal, progress: async () => undefined }
      const rows: Record<string, number> = {}
      for (const store of stores.filter(({ name }) => ['events', 'heat maps', 'web vitals'].includes(name)))
        rows[store.name] = await store.mask(list, work)
      return rows
    },
    made: async () => ({
      pages: await clickhouse.query({
        text: `select page, what, kind, viewport_width, viewport_height, is_current, points, depth, bottom, elements_chain
          from page_uses final order by page, what, kind, uuid`,
        parameters: {},
      }),
      vitals: await clickhouse.query({
        text: 'select path, browser, os, device_type, country_code, lcp, inp, cls, fcp from web_vitals final',
        parameters: {},
      }),
    }),
  }
})

test.for([
  ['$current_url'],
  ['$heatmap_data'],
  ['$viewport_width'],
  ['$viewport_height'],
  ['$prev_pageview_pathname'],
  ['$prev_pageview_max_content_percentage'],
  ['$prev_pageview_max_content'],
  ['$elements_chain'],
  ['$el_text'],
  ['$browser', '$os', '$device_type'],
  ['$web_vitals_LCP_value', '$web_vitals_INP_value'],
  ['$event_type'],
  ['$geoip_country_code'],
  ['email'],
  ['$current_url', '$prev_pageview_pathname', 'email'],
])(
  'what was stored of heat maps and vitals is masked as what is stored from now on: %s',
  async (properties, { world }) => {
    const { empty, made, mask, store } = world
    const list = { columns: [], properties }
    await store(told.map(lineOf))
    const before = await made()
    await mask(list)
    const masked = await made()
    expect(masked).not.toEqual(before)
    // Again there is nothing left to do.
    expect(await mask(list)).toEqual({ events: 0, 'heat maps': 0, 'web vitals': 0 })
    expect(await made()).toEqual(masked)

    await empty()
    const rewrite = rewriteEvents(list)
    await store(told.map(lineOf).map((line) => Buffer.from(rewrite?.(line.toString()) ?? '')))
    expect(await made()).toEqual(masked)
  },
)
