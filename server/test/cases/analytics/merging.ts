import { type AnalyticsCase, batch, type Call, capture, event, type Stored } from './case.ts'

/** `~ada` says that another id is hers. */
const identify = (other: unknown, more: object = {}, said: object = {}): object =>
  event({ $anon_distinct_id: other, ...said }, { event: '$identify', ...more })
const alias = (other: unknown, more: object = {}, said: object = {}): object =>
  event({ alias: other, ...said }, { event: '$create_alias', ...more })
const dangerously = (other: unknown, more: object = {}, said: object = {}): object =>
  event({ alias: other, ...said }, { event: '$merge_dangerously', ...more })
/** Something that another one did. */
const did = (id: string, uuid: string, more: object = {}): object => event(more, { uuid, distinct_id: id })

/** Events of one request after another. */
const merging = (words: string, requests: readonly (readonly unknown[])[], stored: Stored): AnalyticsCase => ({
  rule: `4.1 ${words}`,
  calls: requests.map((events): Call => ({ request: 'POST /e/', body: batch(...events) })),
  stored: { events: requests.flat().map(() => ({})), ...stored },
})

const nobody: readonly string[] = [
  ...[
    'anonymous',
    'guest',
    'distinctid',
    'distinct_id',
    'id',
    'not_authenticated',
    'email',
    'undefined',
    'true',
    'false',
  ],
  ...['Anonymous', 'GUEST', 'DISTINCT_ID', 'Undefined', 'True', 'FALSE'],
  ...['[object Object]', 'NaN', 'None', 'none', 'null', '0'],
  ...['"anonymous"', "'null'", '"Guest"', "'0'", '" "', '   '],
]
const somebody: readonly string[] = ['nan', 'NULL', '00', 'anonymous1', '019b7c1d-2a2e-7000-8000-111111111111']

const one = (ids: readonly string[], isIdentified: boolean): Stored => ({ persons: [{ ids, isIdentified }] })

const whoIsWho: readonly AnalyticsCase[] = [
  merging('the same id is nothing to merge', [[identify('~ada')]], one(['~ada'], false)),
  merging('$identify without another id merges nothing', [[identify(undefined)]], one(['~ada'], false)),
  ...nobody.map((id) =>
    merging(`${JSON.stringify(id)} is nobody’s id`, [[identify(id, {}, { $set: { a: 1 } })]], {
      persons: [{ ids: ['~ada'], properties: { a: 1 }, isIdentified: false }],
    }),
  ),
  ...['anonymous', 'null', 'undefined'].map((id) =>
    merging(
      `an event of ${JSON.stringify(id)} merges nobody`,
      [[did('~bob', '~uuid2')], [identify('~bob', { distinct_id: id })]],
      {
        ...one(['~bob'], false),
      },
    ),
  ),
  merging('an illegal id is not merged dangerously either', [[dangerously('null')]], one(['~ada'], false)),
  ...somebody.map((id) =>
    merging(
      `${JSON.stringify(id)} may be an id`,
      [[identify(id)]],
      one(id < 'ada' ? [id, '~ada'] : ['~ada', id], true),
    ),
  ),
]

const joins: readonly AnalyticsCase[] = [
  ...(
    [
      ['$identify', identify],
      ['$create_alias', alias],
      ['$merge_dangerously', dangerously],
    ] as const
  ).flatMap(([name, say]) => [
    merging(`${name} of two ids without a person makes one`, [[say('~bob')]], one(['~ada', '~bob'], true)),
    merging(
      `${name} gives the other id to the event’s person`,
      [[did('~ada', '~uuid2', { $set: { plan: 'pro' } })], [say('~bob')]],
      { persons: [{ ids: ['~ada', '~bob'], properties: { plan: 'pro' }, isIdentified: true }] },
    ),
    merging(
      `${name} gives the event’s id to the other’s person`,
      [[did('~bob', '~uuid2', { $set: { plan: 'pro' } })], [say('~bob')]],
      { persons: [{ ids: ['~ada', '~bob'], properties: { plan: 'pro' }, isIdentified: true }] },
    ),
    merging(
      `${name} merges an anonymous person: the event’s properties win, then what the event sets`,
      [
        [did('~ada', '~uuid2', { $set: { plan: 'pro', seats: 3 } })],
        [did('~bob', '~uuid3', { $set: { plan: 'free', city: 'Rome', seats: 1 } })],
        [say('~bob', {}, { $set: { seats: 5 }, $set_once: { city: 'Oslo', first: 'mail' } })],
      ],
      {
        persons: [
          {
            ids: ['~ada', '~bob'],
            properties: { plan: 'pro', city: 'Rome', seats: 5, first: 'mail' },
            isIdentified: true,
          },
        ],
      },
    ),
    merging(`${name} within one person is nothing`, [[say('~bob')], [say('~bob', { uuid: '~uuid2' })]], {
      ...one(['~ada', '~bob'], true),
    }),
  ]),
]

const identified: readonly AnalyticsCase[] = [
  ...(
    [
      ['$identify', identify],
      ['$create_alias', alias],
    ] as const
  ).map(([name, say]) =>
    merging(
      `${name} does not merge a person who is identified`,
      [
        [did('~ada', '~uuid3')],
        [identify('~cat', { uuid: '~uuid2', distinct_id: '~bob' })],
        [say('~bob', {}, { $set: { plan: 'pro' } })],
      ],
      {
        persons: [
          { ids: ['~ada'], properties: { plan: 'pro' }, isIdentified: false },
          { ids: ['~bob', '~cat'], properties: {}, isIdentified: true },
        ],
      },
    ),
  ),
  merging(
    '$merge_dangerously merges a person who is identified, with all their ids',
    [[did('~ada', '~uuid3')], [identify('~cat', { uuid: '~uuid2', distinct_id: '~bob' })], [dangerously('~bob')]],
    one(['~ada', '~bob', '~cat'], true),
  ),
  merging(
    'an identified person takes in an anonymous one',
    [[identify('~bob')], [did('~cat', '~uuid2')], [identify('~cat', { uuid: '~uuid3' })]],
    one(['~ada', '~bob', '~cat'], true),
  ),
  merging(
    'a chain of merges in one request is one person',
    [
      [did('~ada', '~uuid4'), did('~bob', '~uuid5')],
      [
        identify('~cat', { uuid: '~uuid2', distinct_id: '~bob' }),
        dangerously('~bob', { uuid: '~uuid3' }),
        identify('~dan', {}),
      ],
    ],
    one(['~ada', '~bob', '~cat', '~dan'], true),
  ),
  {
    rule: '4.1 the older beginning is that of the merged person',
    calls: [
      capture(event({}, { timestamp: '2026-02-03T04:05:06Z' })),
      capture(event({}, { uuid: '~uuid2', distinct_id: '~bob', timestamp: '2026-01-02T03:04:05Z' })),
      capture(identify('~bob', { uuid: '~uuid3' })),
    ],
    stored: { events: [{}, {}, {}], persons: [{ ids: ['~ada', '~bob'], began: '2026-01-02 03:04:05' }] },
  },
  {
    rule: '4.1 a merge that is sent again changes nothing',
    calls: [
      capture(identify('~bob', {}, { $set: { plan: 'free' } })),
      capture(event({ $set: { plan: 'pro' } }, { uuid: '~uuid2' })),
      { ...capture(identify('~bob', {}, { $set: { plan: 'free' } })), afterwards: true },
    ],
    stored: {
      events: [{ event: '$identify' }, {}],
      persons: [{ ids: ['~ada', '~bob'], properties: { plan: 'pro' }, isIdentified: true }],
    },
  },
  {
    rule: '4.1 a merge that comes before the events that were sent earlier is the same',
    calls: [
      capture(identify('~bob', { timestamp: '2026-01-02T03:04:06Z' }, { $set: { plan: 'pro' } })),
      capture(
        event(
          { $set: { plan: 'free', city: 'Rome' } },
          { uuid: '~uuid2', distinct_id: '~bob', timestamp: '2026-01-02T03:04:05Z' },
        ),
      ),
    ],
    stored: { events: [{}, {}], persons: [{ ids: ['~ada', '~bob'], properties: { plan: 'pro', city: 'Rome' } }] },
  },
  {
    rule: '4.1 posthog-node names the distinct id of an alias as a property, too',
    calls: [capture(event({ alias: '~bob', distinct_id: '~ada' }, { event: '$create_alias' }))],
    stored: { events: [{ distinct_id: '~ada' }], persons: [{ ids: ['~ada', '~bob'], isIdentified: true }] },
  },
]

/** Which ids are one person (analytics §4, merge rules). */
export const mergeRules: readonly AnalyticsCase[] = [...whoIsWho, ...joins, ...identified]
