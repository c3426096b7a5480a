import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { uuidv7 } from '../../../ground/ids/uuidv7.ts'
import type { MaskList } from '../../../ground/privacy/masks.ts'
import { createReplay, replayTables } from '../index.ts'

const page = 'https://shop.test/orders/7?email=ada@secret.test'
const hidden = '[masked]'
const at = Date.UTC(2026, 0, 1)

/** Events of a recording, as they are sent and as they are kept while the address of pages is masked. */
const cases: readonly (readonly [rule: string, sent: object, kept: object])[] = [
  [
    'a page',
    { type: 4, data: { href: page, width: 1, height: 1 } },
    { type: 4, data: { href: hidden, width: 1, height: 1 } },
  ],
  [
    'a page whose address is not the first member',
    { type: 4, data: { width: 1, title: 'a "b", {c}', height: -1.5, href: page } },
    { type: 4, data: { width: 1, title: 'a "b", {c}', height: -1.5, href: hidden } },
  ],
  [
    'a page that posthog-js tells of',
    { type: 5, data: { tag: '$pageview', payload: { href: page } } },
    { type: 5, data: { tag: '$pageview', payload: { href: hidden } } },
  ],
  [
    'a request of the network',
    {
      type: 6,
      data: { plugin: 'rrweb/network@1', payload: { requests: [{ name: page, entryType: 'navigation', n: 1 }] } },
    },
    {
      type: 6,
      data: { plugin: 'rrweb/network@1', payload: { requests: [{ name: hidden, entryType: 'navigation', n: 1 }] } },
    },
  ],
  [
    'an address with escapes',
    { type: 4, data: { href: `${page}"\\"`, width: 1 } },
    { type: 4, data: { href: hidden, width: 1 } },
  ],
  [
    'what the page shows',
    { type: 2, data: { node: { tagName: 'a', attributes: { href: '/menu', name: 'email' }, childNodes: [] } } },
    { type: 2, data: { node: { tagName: 'a', attributes: { href: '/menu', name: 'email' }, childNodes: [] } } },
  ],
  [
    'a text that looks like an address',
    { type: 3, data: { source: 0, texts: [{ id: 1, value: '"data":{"href":"/menu"}' }] } },
    { type: 3, data: { source: 0, texts: [{ id: 1, value: '"data":{"href":"/menu"}' }] } },
  ],
]

test('addresses of pages are masked alike before recordings are stored and in ClickHouse', async ({ clickhouse }) => {
  await clickhouse.migrate('replay', replayTables.clickhouse)
  const replay = createReplay({ clickhouse, settings: { errorsPerSession: 500, outlinedMessages: 1000 } })
  const list: MaskList = { columns: [], properties: ['$current_url'] }
  const rewrite = replay.rewrite(list)
  const lines = cases.map(([rule, sent], index) => {
    const message = {
      ...{ uuid: uuidv7(), distinctId: 'ada', sessionId: `s${index}`, windowId: 'w', sentAtMs: at },
      events: [{ ...sent, timestamp: at }],
    }
    const line = replay.toLine(message, { receivedAtMs: at, userAgent: null })?.toString()
    if (line === undefined || rewrite === null) throw new Error(`${rule} is not kept.`)
    return { line, masked: rewrite(line) }
  })
  const expected = cases.map(([rule, , kept]) => [rule, [{ ...kept, timestamp: at }]])
  const read = (data: unknown): unknown => (typeof data === 'string' ? JSON.parse(data) : data)
  const before = lines.map(({ masked }, index) => [cases[index]?.[0], read(JSON.parse(masked).data)])
  expect(before).toEqual(expected)
  for (const { masked } of lines) {
    for (const url of JSON.parse(masked).urls) expect(url).toBe(hidden)
    // A second time nothing is written anew.
    expect(rewrite?.(masked)).toBe(masked)
  }

  await replay.store(lines.map(({ line }) => line))
  const work = { signal: new AbortController().signal, progress: async () => undefined }
  expect(await replay.maskedStore.mask(list, work)).toBe(5)
  expect(await replay.maskedStore.mask(list, work)).toBe(0)
  const stored = await clickhouse.query<{ data: string; urls: readonly string[] }>({
    text: 'select data, urls from snapshots final order by session_id',
    parameters: {},
  })
  expect(stored.map(({ data }, index) => [cases[index]?.[0], JSON.parse(data)])).toEqual(expected)
  expect(stored.flatMap(({ urls }) => urls)).toEqual(Array.from({ length: 4 }, () => hidden))
})
