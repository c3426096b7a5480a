import { describe, expect, test } from 'vitest'
import { event, request, rrweb, type Scene, story, tapped, timeline } from './story.ts'

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
      'a field that a page fills while the person is in another was not typed into',
      {
        recorded: [
          ...[rrweb.input(900, 8), rrweb.focus(1000, 9), rrweb.input(1500, 9), rrweb.input(1600, 10)],
          ...[rrweb.blur(3000, 9), rrweb.input(4000, 11)],
        ],
      },
      ['input Input @900', 'input Input @1500'],
    ],
    [
      'a box without the focus is ticked where it is touched',
      {
        recorded: [rrweb.focus(1000, 9), rrweb.blur(1500, 9), rrweb.click(6000), rrweb.input(6300, 7)],
      },
      ['click Click @6000', 'input Input @6300'],
    ],
    [
      'fields that a page fills as it loads, or at once, were not typed into; what is typed then was',
      {
        recorded: [
          rrweb.snapshot(0),
          rrweb.input(300, 8),
          ...[8, 9, 10].map((id) => rrweb.input(3000 + id, id)),
          rrweb.input(9000, 9),
        ],
      },
      ['input Input @9000'],
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

test('a captured exception that is grouped leads to its group', () => {
  const events = [900, 1900].map((atMs) => event(atMs, '$exception', { $exception_list: [{ type: 'Error' }] }))
  expect(timeline({ events }).moments.map(({ error }) => error)).toEqual([
    { issueId: 'i1', exceptionId: 'e900' },
    undefined,
  ])
})

test('keys are those of the person, not what pages filled in', () => {
  const filledAtOnce = [8, 9, 10].map((id) => rrweb.input(3000 + id, id))
  const recorded = [
    ...[rrweb.snapshot(0), rrweb.input(300, 8), ...filledAtOnce],
    ...[rrweb.focus(5000, 9), rrweb.input(5200, 9), rrweb.input(5400, 9), rrweb.input(5500, 10), rrweb.input(9000, 9)],
  ]
  expect(timeline({ recorded }).keypresses).toBe(3)
  expect(timeline({ events: [tapped(1000, 'Pay')] }).keypresses).toBe(0)
})
