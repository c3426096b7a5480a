import { type AnalyticsCase, capture, event, ok, type StoredEvent } from './case.ts'

const kept = (words: string, sent: object, stored: StoredEvent, persons?: object): AnalyticsCase => ({
  rule: `3 ${words}`,
  calls: [{ ...capture(sent), text: ok }],
  stored: { events: [stored], ...persons },
})

const person = (properties: object): object => ({ persons: [{ ids: ['~ada'], properties }] })
const both = (field: string, top: unknown, inner: unknown): object => event({ [field]: inner }, { [field]: top })

/** The fields of an event (analytics §3). */
export const fields: readonly AnalyticsCase[] = [
  kept('uuid is the event’s own', event(), { uuid: '~uuid' }),
  kept('uuid in capitals is the same', event({}, { uuid: '019B7C1D-2A2E-7000-8000-00000000ABCD' }), {
    uuid: '019b7c1d-2a2e-7000-8000-00000000abcd',
  }),
  kept('without uuid one is given', event({}, { uuid: undefined }), { event: 'ordered' }),
  kept('a uuid that is none is replaced', event({}, { uuid: 'one' }), { event: 'ordered' }),
  kept('event is kept as it is', event({}, { event: ' Ordered / ü 🚀' }), { event: ' Ordered / ü 🚀' }),
  kept('an event without properties', { uuid: '~uuid', event: 'ordered', distinct_id: '~ada' }, { sent: '{}' }),
  kept('properties that are no object count as none', event(undefined, { properties: [1] }), { sent: '{}' }),
  kept('the session and the window are properties', event({ $session_id: '~ses', $window_id: '~win' }), {
    ...{ session_id: '~ses', window_id: '~win' },
  }),
  kept('an event without a session has none', event(), { session_id: '', window_id: '' }),
  kept('a person is made of an event', event(), { person_profile: true }, { persons: [{ ids: ['~ada'] }] }),
  ...(
    [
      ['$set', { plan: 'pro' }],
      ['$set_once', { plan: 'pro' }],
    ] as const
  ).flatMap(([field, value]) => [
    kept(`${field} beside the properties`, event({}, { [field]: value }), {}, person({ plan: 'pro' })),
    kept(`${field} in the properties`, event({ [field]: value }), {}, person({ plan: 'pro' })),
    kept(
      `of ${field} in both places all is kept, and what stands beside the properties wins`,
      both(field, { plan: 'pro', seats: 3 }, { plan: 'free', city: 'Rome' }),
      {},
      person({ plan: 'pro', seats: 3, city: 'Rome' }),
    ),
    kept(`${field} that is no object says nothing`, both(field, 'x', 7), {}, person({})),
  ]),
  {
    rule: '3 $unset beside the properties, and in them, removes names',
    calls: [
      capture(event({ $set: { a: 1, b: 2, c: 3, d: 4 } })),
      capture(event({ $unset: ['b', 7] }, { uuid: '~uuid2', event: '$set', $unset: ['a'] })),
      capture(event({ $unset: ['c'] }, { uuid: '~uuid3', event: '$set' })),
    ],
    stored: { events: [{}, {}, {}], persons: [{ ids: ['~ada'], properties: { d: 4 } }] },
  },
]
