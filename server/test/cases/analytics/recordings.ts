import { gzipSync } from 'node:zlib'
import { type AnalyticsCase, type Call, event, ok, refusal } from './case.ts'

const at = 1_767_323_045_000
const meta = { type: 4, data: { href: 'https://a.test/', width: 1, height: 1 }, timestamp: at }

const message = (data: unknown, properties: object = {}, more: object = {}): object => ({
  ...{ uuid: '~uuid', event: '$snapshot', offset: 5, sent_at: '2026-01-02T03:04:07.000Z' },
  properties: {
    ...{ token: '~T', distinct_id: '~ada', $session_id: '~ses', $window_id: '~win', $snapshot_data: data },
    ...{ $snapshot_bytes: 100, $lib: 'web', $snapshot_host: 'a.test', ...properties },
  },
  ...more,
})
const record = (body: unknown, more: Partial<Call> = {}): Call => ({ request: 'POST /s/', body, text: ok, ...more })

const refused = (words: string, properties: object): AnalyticsCase => ({
  rule: `6.2 ${words}`,
  calls: [
    {
      ...{ request: 'POST /s/', body: [message([meta], properties)] },
      ...{ status: 400, holds: refusal('CLEW_INGEST_BAD_EVENT') },
    },
  ],
})
const taken = (words: string, body: unknown, stored: object, more: Partial<Call> = {}): AnalyticsCase => ({
  rule: `6.2 ${words}`,
  calls: [record(body, more)],
  stored: { messages: [stored] },
})

const long = (length: number): string => `~ses${'x'.repeat(length - 9)}`

/** How recordings come (analytics §6.2). */
const messages: readonly AnalyticsCase[] = [
  taken('a list of one message', [message([meta])], {
    ...{ uuid: '~uuid', distinct_id: '~ada', session_id: '~ses', window_id: '~win', events: 1, data: [meta] },
    ...{ first_ts: at, last_ts: at, sent_at: at + 2000, urls: ['https://a.test/'] },
  }),
  taken('a list in gzip', [message([meta])], { session_id: '~ses' }, { form: 'gzip' }),
  taken('one message without a list', message([meta]), { session_id: '~ses', data: [meta] }),
  taken('a single event for a list of them, of old clients', [message(meta)], { events: 1, data: [meta] }),
  taken('without a window the session is it', [message([meta], { $window_id: undefined })], { window_id: '~ses' }),
  taken('a window that is none is the session', [message([meta], { $window_id: 'a b' })], { window_id: '~ses' }),
  taken('a session of 70 characters', [message([meta], { $session_id: long(70) })], { session_id: long(70) }),
  taken('a message of a telephone', [message([meta], { $snapshot_source: 'mobile' })], { session_id: '~ses' }),
  taken('a distinct id beside the properties', [message([meta], { distinct_id: undefined }, { distinct_id: '~ada' })], {
    distinct_id: '~ada',
  }),
  taken('without sent_at it is not known when it was sent', [message([meta], {}, { sent_at: undefined })], {
    sent_at: null,
  }),
  taken('events that no recorder sends are left out of a message', [message([meta, { type: 'x' }, null, 7])], {
    ...{ events: 1, data: [meta] },
  }),
  taken(
    'the device is that of the request',
    [message([meta])],
    { browser: 'Firefox', os: 'Linux', device: 'Desktop' },
    { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' } },
  ),
  refused('a session of 71 characters', { $session_id: long(71) }),
  ...['a b', 'a/b', 'ü', '', 7].map((id) => refused(`a session named ${JSON.stringify(id)}`, { $session_id: id })),
  refused('no events', { $snapshot_data: [] }),
  refused('events that are a text', { $snapshot_data: 'x' }),
  {
    rule: '6.2 messages of several sessions and windows in one request are each their own',
    calls: [
      record([
        message([meta]),
        message([meta], { $window_id: '~two' }, { uuid: '~uuid2' }),
        message([meta], { $session_id: '~new', $window_id: '~new' }, { uuid: '~uuid3' }),
        message([meta], { distinct_id: '~bob' }, { uuid: '~uuid4' }),
      ]),
    ],
    stored: {
      messages: [
        { session_id: '~ses', window_id: '~win' },
        { session_id: '~ses', window_id: '~two' },
        { session_id: '~new', window_id: '~new' },
        { session_id: '~ses', distinct_id: '~bob' },
      ],
    },
  },
  {
    rule: '6.2 messages that come out of order, and twice, are stored once each',
    calls: [
      record([message([{ ...meta, timestamp: at + 5 }], {}, { uuid: '~uuid2' })]),
      record([message([meta])]),
      record([message([meta]), message([{ ...meta, timestamp: at + 5 }], {}, { uuid: '~uuid2' })], {
        afterwards: true,
      }),
    ],
    stored: { messages: [{ first_ts: at }, { first_ts: at + 5 }] },
  },
  {
    rule: '6.2 an event among recordings is an event',
    calls: [record([message([meta], {}, { uuid: '~uuid2' }), event({ token: '~T' })])],
    stored: { events: [{ event: 'ordered' }], messages: [{ session_id: '~ses' }] },
  },
]

const pack = (value: unknown): string => gzipSync(JSON.stringify(value)).toString('latin1')
const page = { node: { type: 0, id: 1, childNodes: [{ type: 3, id: 2, textContent: 'ü 🚀 "q" \n' }] } }
const cv = '2024-10'
const change = (data: object, more: object = { cv }): object => ({ type: 3, data, timestamp: at, ...more })
const fullPage = { type: 2, data: page, timestamp: at }
const packedPage = { type: 2, data: pack(page), timestamp: at, cv }

const unpacked = (words: string, sent: object, stored: object): AnalyticsCase => ({
  rule: `6.3 ${words}`,
  calls: [record([message([meta, sent, meta])], { form: 'gzip' })],
  stored: { messages: [{ events: 3, data: [meta, stored, meta] }] },
})

/** Fields that browsers pack (analytics §6.3). */
const packed: readonly AnalyticsCase[] = [
  unpacked('a whole page is unpacked', packedPage, fullPage),
  unpacked('a page that is not packed stays', fullPage, fullPage),
  unpacked(
    'changes of a page are unpacked, of which some fields may be plain',
    change({ source: 0, texts: pack([]), attributes: [], removes: pack([{ id: 2 }]), adds: pack([page]) }),
    change({ source: 0, texts: [], attributes: [], removes: [{ id: 2 }], adds: [page] }, {}),
  ),
  unpacked(
    'rules that are added to a style sheet are unpacked',
    change({ source: 8, id: 3, adds: pack([{ rule: 'a{}' }]) }),
    change({ source: 8, id: 3, adds: [{ rule: 'a{}' }] }, {}),
  ),
  unpacked(
    'rules that are removed from one are unpacked',
    change({ source: 8, id: 3, removes: pack([{ index: 1 }]) }),
    change({ source: 8, id: 3, removes: [{ index: 1 }] }, {}),
  ),
  ...[
    ['what is no gzip', { ...packedPage, data: 'no gzip' }],
    ['gzip of what is no JSON', { ...packedPage, data: gzipSync('{"a":').toString('latin1') }],
    ['a packing of later days', { ...packedPage, cv: '2031-01' }],
    ['a damaged field among others', change({ source: 0, texts: 'no gzip', adds: pack([]) })],
  ].map(([words, sent]) => unpacked(`${words} stays as it was sent`, sent as object, sent as object)),
]

const incremental = (data: object, ms = 0): object => ({ type: 3, data, timestamp: at + ms })
const logged = (level: string, ...payload: readonly string[]): object => ({
  type: 6,
  data: { plugin: 'rrweb/console@1', payload: { level, payload, trace: [] } },
  timestamp: at,
})

const counted = (words: string, data: readonly object[], stored: object): AnalyticsCase => ({
  rule: `6.4 ${words}`,
  calls: [record([message(data)])],
  stored: { messages: [{ data, ...stored }] },
})

/** What is known of a recording's events (analytics §6.4). */
const events: readonly AnalyticsCase[] = [
  counted(
    'clicks are counted, other interactions are not',
    [2, 2, 1, 5].map((type) => incremental({ source: 2, type, id: 7 })),
    {
      clicks: 2,
    },
  ),
  counted(
    'what is typed is counted',
    [incremental({ source: 5, text: 'a', id: 9 }), incremental({ source: 3, id: 1 })],
    {
      ...{ keypresses: 1, clicks: 0 },
    },
  ),
  counted('errors of the console are counted', [logged('error', '"x"'), logged('warn', '"y"'), logged('log', '"z"')], {
    console_errors: 1,
  }),
  counted('a full page is known', [meta, fullPage], { has_full_snapshot: true }),
  counted('a message without one, too', [meta], { has_full_snapshot: false }),
  counted(
    'addresses are those of pages, without repetition in a row',
    [
      meta,
      meta,
      { type: 5, data: { tag: '$pageview', payload: { href: 'https://a.test/b' } }, timestamp: at + 1 },
      { ...meta, timestamp: at + 2 },
    ],
    { urls: ['https://a.test/', 'https://a.test/b', 'https://a.test/'] },
  ),
  counted(
    'markers do not lengthen a message',
    [
      meta,
      { type: 5, data: { tag: 'sessionIdle', payload: {} }, timestamp: at - 300_000 },
      { ...meta, timestamp: at + 9 },
    ],
    { first_ts: at, last_ts: at + 9 },
  ),
  counted(
    'unknown tags and plugins are kept',
    [
      meta,
      { type: 5, data: { tag: 'of the page', payload: { a: [null] } }, timestamp: at },
      { type: 6, data: { plugin: 'of the page', payload: {} }, timestamp: at },
    ],
    { events: 3 },
  ),
  counted(
    'activity is told from changes of the page',
    [0, 2000, 4000].flatMap((ms) => [
      incremental({ source: 1, positions: [] }, ms),
      incremental({ source: 0 }, ms + 9000),
    ]),
    { active_ms: 4000 },
  ),
]

/** Recordings (analytics §6). */
export const recordings: readonly AnalyticsCase[] = [...messages, ...packed, ...events]
