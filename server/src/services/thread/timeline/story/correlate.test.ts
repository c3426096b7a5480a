import { describe, expect, test } from 'vitest'
import { offsetMs, request, rrweb, type Scene, story, tapped, timeline } from './story.ts'

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
