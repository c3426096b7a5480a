import { type AnalyticsCase, batch, capture, event, type StoredEvent } from './case.ts'

/** What posthog-js sends in cookieless mode. */
const sent = (uuid: string, properties: object = {}, more: object = {}): object =>
  event(
    {
      $cookieless_mode: true,
      distinct_id: '$posthog_cookieless',
      $device_id: '$posthog_cookieless',
      $host: 'a.test',
      ...properties,
    },
    { uuid, distinct_id: undefined, ...more },
  )

const first = { person_profile: false, visitor: 1, visit: 1 }
const one = sent('~uuid')
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

const two = (words: string, second: object, stored: StoredEvent, headers = {}): AnalyticsCase => ({
  rule: `10 ${words}`,
  calls: [capture(one), { ...capture(second), headers }],
  stored: { events: [first, stored], persons: [] },
})

/** Visitors whose browsers keep nothing (analytics §10). */
export const cookieless: readonly AnalyticsCase[] = [
  {
    rule: '10 the sentinel is replaced by an id of the day, and is no person',
    calls: [capture(one)],
    stored: {
      events: [{ ...first, isSentinel: false, properties: { $cookieless_mode: true }, lacks: ['$device_id'] }],
      persons: [],
    },
  },
  two('another event of a visitor is of one id and one session', sent('~uuid2'), first),
  two('another browser is another visitor', sent('~uuid2'), { visitor: 2, visit: 2 }, { 'user-agent': chrome }),
  two('a browser that the event names is another visitor', sent('~uuid2', { $raw_user_agent: chrome }), {
    ...{ visitor: 2, visit: 2, lacks: ['$raw_user_agent'] },
  }),
  two(
    'another address is another visitor',
    sent('~uuid2'),
    { visitor: 2, visit: 2 },
    { 'x-forwarded-for': '198.51.100.7' },
  ),
  two('another host is another visitor', sent('~uuid2', { $host: 'b.test' }), { visitor: 2, visit: 2 }),
  {
    rule: '10 the sentinel alone asks for it',
    calls: [capture(sent('~uuid', { $cookieless_mode: undefined }))],
    stored: { events: [{ ...first, isSentinel: false }], persons: [] },
  },
  {
    rule: '10 $cookieless_mode asks for it whatever the distinct id is',
    calls: [capture(event({ $cookieless_mode: true, $host: 'a.test', $set: { plan: 'pro' } }))],
    stored: { events: [{ person_profile: false, visitor: 1 }], persons: [] },
  },
  {
    rule: '10 $ip and $raw_user_agent are not stored',
    calls: [capture(sent('~uuid', { $ip: '203.0.113.9', $raw_user_agent: chrome }))],
    stored: { events: [{ lacks: ['$ip', '$raw_user_agent'], properties: { $geoip_country_code: 'PT' } }] },
  },
  {
    rule: '10 a place has neither coordinates nor a postal code',
    calls: [capture(sent('~uuid', { $ip: '203.0.113.9' }))],
    stored: {
      events: [
        {
          properties: { $geoip_city_name: 'Lisbon' },
          lacks: ['$geoip_postal_code', '$geoip_latitude', '$geoip_longitude', '$geoip_accuracy_radius'],
        },
      ],
    },
  },
  {
    rule: '10 a session of the client’s stays',
    calls: [capture(sent('~uuid', { $session_id: '~ses' }))],
    stored: { events: [{ session_id: '~ses' }] },
  },
  {
    rule: '10 a session ends with thirty minutes without an event',
    calls: [
      {
        request: 'POST /e/',
        body: batch(
          sent('~uuid', { $host: '~hos' }, { timestamp: '2026-01-02T03:00:00Z' }),
          sent('~uuid2', { $host: '~hos' }, { timestamp: '2026-01-02T03:29:59Z' }),
          sent('~uuid3', { $host: '~hos' }, { timestamp: '2026-01-02T04:00:00Z' }),
        ),
      },
    ],
    stored: {
      events: [
        { visitor: 1, visit: 1 },
        { visitor: 1, visit: 1 },
        { visitor: 1, visit: 2 },
      ],
    },
  },
]
