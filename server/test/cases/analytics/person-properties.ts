import { type AnalyticsCase, capture, event } from './case.ts'

const at = (second: number): string => `2026-01-02T03:04:0${second}Z`
const set = (uuid: string, fields: object, more: object = {}): object => event(fields, { uuid, event: '$set', ...more })

const properties = (words: string, events: readonly object[], expected: object): AnalyticsCase => ({
  rule: `4.2 ${words}`,
  calls: events.map((each) => capture(each)),
  stored: { events: events.map(() => ({})), persons: [{ ids: ['~ada'], properties: expected }] },
})

const rules: readonly AnalyticsCase[] = [
  properties('$set overwrites', [set('~uuid', { $set: { a: 1, b: 1 } }), set('~uuid2', { $set: { a: 2 } })], {
    ...{ a: 2, b: 1 },
  }),
  properties(
    '$set_once sets what is absent only',
    [
      set('~uuid', { $set: { a: 1 } }),
      set('~uuid2', { $set_once: { a: 2, b: 2 } }),
      set('~uuid3', { $set_once: { b: 3 } }),
    ],
    { a: 1, b: 2 },
  ),
  properties('$set counts before $set_once of one event', [set('~uuid', { $set: { a: 1 }, $set_once: { a: 2 } })], {
    a: 1,
  }),
  properties(
    '$set overwrites what $set_once has set',
    [set('~uuid', { $set_once: { a: 1 } }), set('~uuid2', { $set: { a: 2 } })],
    { a: 2 },
  ),
  properties(
    '$unset removes, and passes over what is not there',
    [set('~uuid', { $set: { a: 1, b: 2 } }), set('~uuid2', { $unset: ['a', 'z'] })],
    { b: 2 },
  ),
  properties('$unset counts after $set of one event', [set('~uuid', { $set: { a: 1, b: 1 }, $unset: ['a'] })], {
    b: 1,
  }),
  properties(
    'what was removed may be set again, once too',
    [set('~uuid', { $set: { a: 1 } }), set('~uuid2', { $unset: ['a'] }), set('~uuid3', { $set_once: { a: 3 } })],
    { a: 3 },
  ),
  properties('null is a value', [set('~uuid', { $set: { a: null } }), set('~uuid2', { $set_once: { a: 1 } })], {
    a: null,
  }),
  properties(
    'values are any JSON, and replaced as a whole',
    [set('~uuid', { $set: { a: { x: 1 }, b: [1, 'ü 🚀'] } }), set('~uuid2', { $set: { a: { y: 2 } } })],
    { a: { y: 2 }, b: [1, 'ü 🚀'] },
  ),
  properties(
    '$initial_* come by $set_once',
    [
      set('~uuid', { $set_once: { $initial_referrer: '$direct', $initial_utm_source: 'mail' } }),
      set('~uuid2', { $set_once: { $initial_referrer: 'https://b.test/' } }),
    ],
    { $initial_referrer: '$direct', $initial_utm_source: 'mail' },
  ),
  properties('any event may set', [event({ $set: { a: 1 } }, { event: 'ordered' })], { a: 1 }),
  properties(
    'of two events the later one’s value stands, however they arrive',
    [
      set('~uuid', { $set: { a: 2 } }, { timestamp: at(2) }),
      set('~uuid2', { $set: { a: 1, b: 1 } }, { timestamp: at(1) }),
    ],
    { a: 2, b: 1 },
  ),
  properties(
    'what was removed later is not set by an earlier event',
    [
      set('~uuid', { $set: { a: 1 } }, { timestamp: at(1) }),
      set('~uuid2', { $unset: ['a'] }, { timestamp: at(3) }),
      set('~uuid3', { $set: { a: 2 } }, { timestamp: at(2) }),
    ],
    {},
  ),
  {
    rule: '4.2 what is sent again is not set again',
    calls: [
      capture(set('~uuid', { $set: { a: 1 } })),
      capture(set('~uuid2', { $set: { a: 2 } })),
      { ...capture(set('~uuid', { $set: { a: 1 } })), afterwards: true },
    ],
    stored: { events: [{}, {}], persons: [{ ids: ['~ada'], properties: { a: 2 } }] },
  },
  {
    rule: '4.2 a person has the place of their last event, and of their first',
    calls: ['203.0.113.9', '2001:db8::1'].map((address, index) => ({
      ...capture(event({}, { uuid: `~uuid${index + 1}` })),
      headers: { 'x-forwarded-for': address },
    })),
    stored: {
      events: [{}, {}],
      persons: [
        {
          ids: ['~ada'],
          properties: {
            ...{ $geoip_country_code: 'JP', $geoip_country_name: 'Japan' },
            ...{ $initial_geoip_city_name: 'Lisbon', $initial_geoip_country_code: 'PT' },
            ...{ $initial_geoip_country_name: 'Portugal', $initial_geoip_continent_code: 'EU' },
            ...{ $initial_geoip_continent_name: 'Europe', $initial_geoip_postal_code: '1000-139' },
            ...{ $initial_geoip_latitude: 38.7057, $initial_geoip_longitude: -9.1359 },
            ...{ $initial_geoip_accuracy_radius: 20, $initial_geoip_time_zone: 'Europe/Lisbon' },
            ...{ $initial_geoip_subdivision_1_code: '11', $initial_geoip_subdivision_1_name: 'Lisbon District' },
          },
        },
      ],
    },
  },
]

const describing = (uuid: string, properties: object): object => event(properties, { uuid, event: '$groupidentify' })
const company = { $group_type: 'company', $group_key: '~acm' }

const groups: readonly AnalyticsCase[] = [
  {
    rule: '4.2 $groupidentify keeps a group’s properties, and no person’s',
    calls: [capture(describing('~uuid', { ...company, $group_set: { plan: 'pro' }, $set: { plan: 'x' } }))],
    stored: {
      ...{ events: [{ event: '$groupidentify' }], persons: [] },
      groups: [{ type: 'company', key: '~acm', properties: { plan: 'pro' } }],
    },
  },
  {
    rule: '4.2 $groupidentify merges what it says into what is known, not deeper',
    calls: [
      capture(describing('~uuid', { ...company, $group_set: { plan: 'pro', size: { a: 1 } } })),
      capture(describing('~uuid2', { ...company, $group_set: { seats: 3, size: { b: 2 } } })),
    ],
    stored: {
      events: [{}, {}],
      groups: [{ type: 'company', key: '~acm', properties: { plan: 'pro', seats: 3, size: { b: 2 } } }],
    },
  },
  {
    rule: '4.2 $groupidentify without properties keeps the group',
    calls: [capture(describing('~uuid', company))],
    stored: { events: [{}], groups: [{ type: 'company', key: '~acm', properties: {} }] },
  },
  {
    rule: '4.2 $groupidentify that is sent again changes nothing',
    calls: [
      capture(describing('~uuid', { ...company, $group_set: { plan: 'free' } })),
      capture(describing('~uuid2', { ...company, $group_set: { plan: 'pro' } })),
      { ...capture(describing('~uuid', { ...company, $group_set: { plan: 'free' } })), afterwards: true },
    ],
    stored: { events: [{}, {}], groups: [{ type: 'company', key: '~acm', properties: { plan: 'pro' } }] },
  },
  ...[{ $group_key: '~acm' }, { $group_type: 'company' }, { $group_type: '', $group_key: '~acm' }].map((said) => ({
    rule: `4.2 $groupidentify of ${JSON.stringify(said).replace('~acm', 'acme')} is of no group`,
    calls: [capture(describing('~uuid', { ...said, $group_set: { plan: 'pro' } }))],
    stored: { events: [{}], groups: [] },
  })),
  {
    rule: '4.2 posthog-node’s $groupidentify without a distinct id has one of the group',
    calls: [capture(event(company, { event: '$groupidentify', distinct_id: '$company_~acm' }))],
    stored: {
      ...{ events: [{ distinct_id: '$company_~acm' }], persons: [] },
      groups: [{ type: 'company', key: '~acm', properties: {} }],
    },
  },
  {
    rule: '4.2 an event is found by its groups',
    calls: [capture(event({ $groups: { company: '~acm' } }))],
    stored: { events: [{ groups: { company: '~acm' } }] },
  },
  {
    rule: '4.2 five types of groups are kept, in the order in which they appear',
    calls: [
      capture(
        event({ $groups: { team: '~tea', project: '~pro', plan: '~pla', region: '~reg', sixth: '~six' } }),
        describing('~uuid2', { $group_type: 'region', $group_key: '~reg', $group_set: { is: 'fifth' } }),
        describing('~uuid3', { $group_type: 'sixth', $group_key: '~six', $group_set: { is: 'sixth' } }),
      ),
    ],
    stored: {
      events: [{ groups: { region: '~reg', sixth: '~six' } }, {}, {}],
      groups: [{ type: 'region', key: '~reg', properties: { is: 'fifth' } }],
    },
  },
]

/** What is known of persons and groups (analytics §4.2). */
export const personProperties: readonly AnalyticsCase[] = [...rules, ...groups]
