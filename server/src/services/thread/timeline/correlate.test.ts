import { describe, expect, test } from 'vitest'
import type { SessionEvent } from '../../../ground/model/session-event.ts'
import { correlate, type TimelineInput } from './correlate.ts'
import type { SessionRequest } from './places.ts'
import { createRecordingReader } from './rrweb.ts'

const start = Date.parse('2026-03-01T12:00:00Z')
/** The browser's clock is ten seconds behind. */
const offsetMs = 10_000
const client = (atMs: number): number => start - offsetMs + atMs

const rrweb = {
  click: (atMs: number) => ({ type: 3, timestamp: client(atMs), data: { source: 2, type: 2, id: 7 } }),
  move: (atMs: number) => ({ type: 3, timestamp: client(atMs), data: { source: 1, positions: [] } }),
  input: (atMs: number, id = 9) => ({ type: 3, timestamp: client(atMs), data: { source: 5, id, text: '***' } }),
  page: (atMs: number, path: string) => ({ type: 4, timestamp: client(atMs), data: { href: `http://a.test${path}` } }),
  moved: (atMs: number, path: string) => ({
    type: 5,
    timestamp: client(atMs),
    data: { tag: '$url_changed', payload: { href: `http://a.test${path}` } },
  }),
  log: (atMs: number, level: string, ...args: string[]) => ({
    type: 6,
    timestamp: client(atMs),
    data: { plugin: 'rrweb/console@1', payload: { level, payload: args, trace: [] } },
  }),
}

const event = (
  atMs: number,
  name: string,
  properties: object = {},
  rest: Partial<SessionEvent> = {},
): SessionEvent => ({
  uuid: `e${atMs}`,
  event: name,
  distinctId: 'd1',
  windowId: 'w1',
  clientTime: new Date(client(atMs)),
  sentAt: null,
  receivedAt: new Date(start + atMs),
  currentUrl: null,
  elementsChain: '',
  properties: { ...properties },
  ...rest,
})

const tapped = (atMs: number, text: string) => event(atMs, '$autocapture', { $event_type: 'click', $el_text: text })

const request = (atMs: number, rest: Partial<SessionRequest> = {}): SessionRequest => ({
  id: `r${String(atMs).padStart(6, '0')}`,
  at: new Date(start + atMs).toISOString(),
  durationMs: 20,
  service: 'rest',
  method: 'POST',
  path: '/rest/v1/orders',
  query: '',
  status: 201,
  errorCode: null,
  rows: 1,
  requestBytes: 0,
  responseBytes: 0,
  windowId: 'w1',
  link: { channel: 'header', exact: true, foreign: false, why: null },
  statements: [],
  changes: [],
  sends: [],
  causeId: null,
  logs: [],
  ...rest,
})

type Tabs = Readonly<Record<string, readonly object[]>>

interface Scene {
  readonly recorded?: readonly object[] | Tabs
  readonly events?: readonly SessionEvent[]
  readonly requests?: readonly SessionRequest[]
  readonly limits?: Partial<Pick<TimelineInput, 'maxMoments' | 'clock'>>
}

function timeline({ recorded = [], events = [], requests = [], limits = {} }: Scene) {
  const reader = createRecordingReader({ idleGapMs: 15_000, limit: 1000 })
  const windows: Tabs = Symbol.iterator in recorded ? { w1: recorded } : recorded
  for (const [windowId, list] of Object.entries(windows)) reader.read({ windowId, offsetMs, events: list })
  return correlate({
    startedAt: new Date(start),
    clock: { offsetMs, spreadMs: 30, samples: 3 },
    recorded: reader.recorded(),
    events,
    names: new Map(),
    requests,
    idleGapMs: 15_000,
    maxMoments: 100,
    ...limits,
  })
}

/** `click Pay @1000 ← 1010, 1100` a moment a line. */
const story = (scene: Scene): readonly string[] =>
  timeline(scene).moments.map(({ kind, label, atMs, requests }) => {
    const caused = requests.map((one) => one.atMs).join(', ')
    return `${kind} ${label} @${atMs}${caused === '' ? '' : ` ← ${caused}`}`
  })

describe('requests stand under what caused them', () => {
  test.each<[string, Scene, readonly string[]]>([
    [
      'a click and its request',
      { recorded: [rrweb.click(1000)], events: [tapped(1004, 'Pay')], requests: [request(1012)] },
      ['click Pay @1000 ← 1012'],
    ],
    [
      'the browser’s clock is late by a transit: the click stands before its request',
      { recorded: [rrweb.click(1000)], requests: [request(970)] },
      ['click Click @970 ← 970'],
    ],
    [
      'the latest click before it counts',
      { recorded: [rrweb.click(1000), rrweb.click(2000)], requests: [request(2010)] },
      ['click Click @1000', 'click Click @2000 ← 2010'],
    ],
    [
      'a click long ago yields to one that seems just after',
      { recorded: [rrweb.click(1000), rrweb.click(3000)], requests: [request(2980)] },
      ['click Click @1000', 'click Click @2980 ← 2980'],
    ],
    [
      'also when it seems well after, in a session whose clock wavers as much',
      {
        recorded: [rrweb.click(1000), rrweb.click(3000)],
        requests: [request(2860)],
        limits: { clock: { offsetMs, spreadMs: 180, samples: 3 } },
      },
      ['click Click @1000', 'click Click @2860 ← 2860'],
    ],
    [
      'but not in one whose clock is steady',
      { recorded: [rrweb.click(1000), rrweb.click(3000)], requests: [request(2860)] },
      ['click Click @1000 ← 2860', 'click Click @3000'],
    ],
    [
      'a click not so long ago does not',
      { recorded: [rrweb.click(1000), rrweb.click(1100)], requests: [request(1030), request(1070)] },
      ['click Click @1000 ← 1030, 1070', 'click Click @1100'],
    ],
    [
      'typing yields to the click that seems just after it',
      { recorded: [rrweb.input(1000), rrweb.input(1900), rrweb.click(2000)], requests: [request(1990)] },
      ['input Input @1000', 'click Click @1990 ← 1990'],
    ],
    [
      'clicks in quick succession each have their own, though the clock is late',
      {
        recorded: [rrweb.click(1000), rrweb.click(1080), rrweb.click(1160)],
        requests: [request(992), request(1072), request(1152)],
      },
      ['click Click @992 ← 992', 'click Click @1072 ← 1072', 'click Click @1152 ← 1152'],
    ],
    [
      'a first request later than five seconds stands alone',
      { recorded: [rrweb.click(1000)], requests: [request(6100)] },
      ['click Click @1000', 'request POST /rest/v1/orders @6100'.concat(' ← 6100')],
    ],
    [
      'a chain goes on while its gaps are short, then ends',
      { recorded: [rrweb.click(1000)], requests: [request(1100), request(2000), request(2900), request(5000)] },
      ['click Click @1000 ← 1100, 2000, 2900', 'request POST /rest/v1/orders @5000 ← 5000'],
    ],
    [
      'the gap is counted from the answer',
      { recorded: [rrweb.click(1000)], requests: [request(1100, { durationMs: 4000 }), request(5900)] },
      ['click Click @1000 ← 1100, 5900'],
    ],
    [
      'a navigation takes over',
      { recorded: [rrweb.click(1000), rrweb.moved(1100, '/orders/8')], requests: [request(1010), request(1130)] },
      ['click Click @1000 ← 1010', 'page /orders/8 @1100 ← 1130'],
    ],
    [
      'another tab’s click does not count',
      { recorded: { w1: [rrweb.click(1000)], w2: [rrweb.click(1500)] }, requests: [request(1510)] },
      ['click Click @1000 ← 1510', 'click Click @1500'],
    ],
    [
      'without a tab, while two are open: alone',
      { recorded: { w1: [rrweb.click(1000)], w2: [rrweb.click(1500)] }, requests: [request(1510, { windowId: null })] },
      ['click Click @1000', 'click Click @1500', 'request POST /rest/v1/orders @1510 ← 1510'],
    ],
    [
      'without a tab, when the other had been closed: under the click of the one that is open',
      {
        recorded: { w1: [rrweb.click(1000)], w2: [rrweb.click(20_000)] },
        requests: [request(20_010, { windowId: null })],
      },
      ['click Click @1000', 'gap Not recorded @1000', 'click Click @20000 ← 20010'],
    ],
    [
      'what a page asks every 800 ms stands alone, but for what made it begin',
      {
        recorded: [rrweb.click(1000)],
        requests: Array.from({ length: 6 }, (_, index) => request(1010 + index * 800 + (index % 3) * 20)),
      },
      [
        'click Click @1000 ← 1010',
        ...[1830, 2650, 3410, 4230, 5050].map((at) => `request POST /rest/v1/orders @${at} ← ${at}`),
      ],
    ],
    [
      'the same call after each of many clicks is the clicks’',
      {
        recorded: [0, 1, 2, 3, 4].map((index) => rrweb.click(1000 + index * 800)),
        requests: [0, 1, 2, 3, 4].map((index) => request(1040 + index * 800)),
      },
      [0, 1, 2, 3, 4].map((index) => `click Click @${1000 + index * 800} ← ${1040 + index * 800}`),
    ],
    [
      'a chain has an end of its own',
      {
        recorded: [rrweb.click(1000)],
        requests: Array.from({ length: 20 }, (_, index) =>
          request(1500 + index * 700, { path: `/rest/v1/part${index}` }),
        ),
      },
      [
        `click Click @1000 ← ${Array.from({ length: 14 }, (_, index) => 1500 + index * 700).join(', ')}`,
        ...Array.from(
          { length: 6 },
          (_, index) => `request POST /rest/v1/part${index + 14} @${11300 + index * 700} ← ${11300 + index * 700}`,
        ),
      ],
    ],
    [
      'what carries only the session’s id stands alone',
      {
        recorded: [rrweb.click(1000)],
        requests: [
          request(1010, { link: { channel: 'header', exact: false, foreign: true, why: 'of another browser' } }),
        ],
      },
      ['click Click @1000', 'request POST /rest/v1/orders @1010 ← 1010'],
    ],
    [
      'a tab of which nothing is known: alone',
      { recorded: [rrweb.click(1000)], requests: [request(1010, { windowId: 'w9' })] },
      ['click Click @1000', 'request POST /rest/v1/orders @1010 ← 1010'],
    ],
    [
      'typing asks as one types',
      {
        recorded: [rrweb.input(1000), rrweb.input(3000), rrweb.input(6000), rrweb.input(9000)],
        requests: [request(1200), request(3200), request(6200)],
      },
      ['input Input @1000 ← 1200, 3200, 6200'],
    ],
  ])('%s', (_, scene, expected) => {
    expect(story(scene)).toEqual(expected)
  })
})

describe('a place says how sure it is', () => {
  const placeOf = (scene: Scene) => timeline(scene).moments.flatMap(({ requests }) => requests)[0]?.place
  test.each<[string, Scene, object]>([
    [
      'at once, in its own tab',
      { recorded: [rrweb.click(1000)], requests: [request(1010)] },
      { exact: true, why: null },
    ],
    [
      'in the only tab that is open, as it names none',
      { recorded: [rrweb.click(1000)], requests: [request(1010, { windowId: null })] },
      { exact: false, why: expect.stringContaining('no tab') },
    ],
    [
      'long after',
      { recorded: [rrweb.click(1000)], requests: [request(4000)] },
      { exact: false, why: expect.stringContaining('two seconds') },
    ],
    [
      'before the click, by more than the clock may be off',
      { recorded: [rrweb.click(1000)], requests: [request(800)] },
      { exact: false, why: expect.stringContaining('clock') },
    ],
    [
      'before the click, by as much as the clock may be off',
      { recorded: [rrweb.click(1000)], requests: [request(960)] },
      { exact: true, why: null },
    ],
  ])('%s', (_, scene, place) => {
    expect(placeOf(scene)).toMatchObject(place)
  })

  test('a call that repeats says at what interval', () => {
    const requests = Array.from({ length: 5 }, (_, index) => request(1000 + index * 2500))
    const places = timeline({ requests }).moments.flatMap((moment) =>
      moment.requests.map(({ place }) => place.repeatsMs),
    )
    expect(places).toEqual([null, 2500, 2500, 2500, 2500])
  })
})

describe('what the browser tells', () => {
  test.each<[string, Scene, readonly string[]]>([
    [
      'pages: each address once, again when it is loaded anew',
      {
        recorded: [rrweb.page(0, '/menu'), rrweb.moved(900, '/basket'), rrweb.page(1000, '/basket')],
        events: [
          event(20, '$pageview', {}, { currentUrl: 'http://a.test/menu' }),
          event(905, '$pageview', {}, { currentUrl: 'http://a.test/basket' }),
          event(9000, '$pageview', {}, { currentUrl: 'http://a.test/basket' }),
        ],
      },
      ['page /menu @0', 'page /basket @900', 'page /basket @9000'],
    ],
    ['the route in a fragment', { recorded: [rrweb.page(0, '/#/orders?x=1')] }, ['page /#/orders @0']],
    [
      'a label’s click and the browser’s echo on its field are one',
      { recorded: [rrweb.click(1000), rrweb.click(1001)], events: [tapped(1000, 'Oat milk')] },
      ['click Oat milk @1000'],
    ],
    ['a click that was captured but not recorded', { events: [tapped(1000, 'Pay')] }, ['click Pay @1000']],
    [
      'a captured click of another tab does not lend its text',
      { recorded: [rrweb.click(1000)], events: [{ ...tapped(1001, 'Pay'), windowId: 'w2' }] },
      ['click Click @1000', 'click Pay @1001'],
    ],
    [
      'keystrokes of one field are one input, named when it is left',
      {
        recorded: [rrweb.input(1000), rrweb.input(1300), rrweb.input(2000), rrweb.input(4000, 10)],
        events: [
          event(
            3500,
            '$autocapture',
            { $event_type: 'change' },
            { elementsChain: 'input:attr__name="email"nth-child="1"' },
          ),
        ],
      },
      ['input email @1000', 'input Input @4000'],
    ],
    [
      'a change names the field last typed into',
      {
        recorded: [rrweb.input(1000, 9), rrweb.input(1500, 10), rrweb.input(2000, 11)],
        events: [1400, 1900].map((at, index) =>
          event(at, '$autocapture', { $event_type: 'change' }, { elementsChain: `input:attr__name="field ${index}"` }),
        ),
      },
      ['input field 0 @1000', 'input field 1 @1500', 'input Input @2000'],
    ],
    [
      'a field shown empty was not typed into; one emptied was',
      {
        recorded: [
          { ...rrweb.input(1000), data: { source: 5, id: 9, text: '', isChecked: false } },
          rrweb.input(2000),
          { ...rrweb.input(9000), data: { source: 5, id: 9, text: '', isChecked: false } },
        ],
      },
      ['input Input @2000', 'input Input @9000'],
    ],
    [
      'a tick in a box is told by its click',
      { recorded: [rrweb.click(1000), rrweb.input(1002)] },
      ['click Click @1000'],
    ],
    [
      'console lines, exceptions and the application’s own events; not posthog-js’ own',
      {
        recorded: [rrweb.log(100, 'warn', '"low stock"', '{"id":7}')],
        events: [
          event(200, '$exception', { $exception_list: [{ type: 'TypeError', value: 'total is undefined' }] }),
          event(300, 'order placed', { total: 10, $lib: 'web' }),
          event(400, '$web_vitals'),
        ],
      },
      ['console low stock {"id":7} @100', 'exception TypeError: total is undefined @200', 'event order placed @300'],
    ],
    [
      'an exception that the console told of, too, stands there once',
      {
        recorded: [rrweb.log(199, 'error', '"Uncaught TypeError: total is undefined"')],
        events: [event(200, '$exception', { $exception_list: [{ type: 'TypeError', value: 'total is undefined' }] })],
      },
      ['exception TypeError: total is undefined @200'],
    ],
    [
      'idle stretches are gaps',
      { recorded: [rrweb.move(0), rrweb.click(1000), rrweb.move(2000), rrweb.move(60_000)] },
      ['click Click @1000', 'gap Idle @2000'],
    ],
  ])('%s', (_, scene, expected) => {
    expect(story(scene)).toEqual(expected)
  })

  test('an event carries its own properties only, a page no credentials', () => {
    const { moments } = timeline({
      recorded: [rrweb.page(0, '/#access_token=secret&type=signup')],
      events: [event(300, 'order placed', { total: 10, $lib: 'web', token: 'phc_x', distinct_id: 'd' })],
    })
    expect(moments.map(({ properties }) => properties)).toEqual([
      { href: 'http://a.test/#access_token=(redacted)&type=signup' },
      { total: 10 },
    ])
  })

  test('tabs from their first to their last sign', () => {
    const { windows } = timeline({
      recorded: { w1: [rrweb.page(0, '/'), rrweb.click(1000)], w2: [rrweb.page(500, '/')] },
      requests: [request(2000)],
    })
    expect(windows).toEqual([
      { id: 'w1', startedMs: 0, endedMs: 2020 },
      { id: 'w2', startedMs: 500, endedMs: 500 },
    ])
  })

  test('beyond the limit the timeline says that it is cut', () => {
    const { moments, truncated } = timeline({
      recorded: [rrweb.click(1000), rrweb.click(2000), rrweb.click(3000)],
      limits: { maxMoments: 2 },
    })
    expect([moments.length, truncated]).toEqual([2, true])
  })

  test('events that others sent with the session’s id replace no person', () => {
    const foreign = { channel: 'header' as const, exact: false, foreign: true, why: 'of another browser' }
    const { moments, truncated } = timeline({
      recorded: [rrweb.click(1000), rrweb.click(2000)],
      requests: [10, 20, 30].map((atMs) => request(atMs, { link: foreign, windowId: null })),
      limits: { maxMoments: 2 },
    })
    expect([moments.map(({ kind }) => kind), truncated]).toEqual([['click', 'click'], true])
  })

  test('statements and changes stay under their request, with the link that ties it', () => {
    const link = { channel: 'learnt' as const, exact: false, foreign: false, why: 'seen elsewhere too' }
    const change = {
      id: '0/1:0',
      at: '',
      schema: 'public',
      table: 'orders',
      operation: 'insert' as const,
      key: { id: '8' },
      old: null,
      new: { id: '8' },
      columns: [],
    }
    const [moment] = timeline({
      recorded: [rrweb.click(1000)],
      requests: [request(1010, { link, changes: [change] })],
    }).moments
    expect(moment?.requests[0]).toMatchObject({ link, changes: [change] })
  })
})

test('requests that a function made stand with its call, after a click and alone', () => {
  const { moments } = timeline({
    recorded: [rrweb.click(1000)],
    requests: [
      request(1100, { id: 'call', path: '/functions/v1/receipt' }),
      // Later than any chain of the click goes on.
      request(12_500, {
        id: 'made',
        causeId: 'call',
        windowId: null,
        link: { channel: 'function', exact: true, foreign: false, why: null },
      }),
      request(40_000, { id: 'alone', path: '/functions/v1/other' }),
      request(40_100, { id: 'made-alone', causeId: 'alone' }),
    ],
  })
  const groups = moments.map(({ requests }) => requests.map(({ id }) => id)).filter(({ length }) => length > 0)
  expect(groups).toEqual([
    ['call', 'made'],
    ['alone', 'made-alone'],
  ])
})
