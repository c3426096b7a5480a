import { type AnalyticsCase, type Call, event, refusal } from './case.ts'

const headers = {
  authorization: 'Bearer ~T',
  'posthog-sdk-info': 'posthog-node/5.70.0',
  'posthog-attempt': '1',
  'posthog-request-id': '~uuid9',
  'posthog-request-timestamp': '2026-01-02T03:04:07.000Z',
}

const result = (...names: string[]): object => ({
  results: Object.fromEntries(names.map((name) => [name, { result: 'ok' }])),
})

const v1 = (events: readonly unknown[], more: Partial<Call> = {}): Call => ({
  request: 'POST /i/v1/analytics/events',
  headers,
  body: { created_at: '2026-01-02T03:04:07.000Z', historical_migration: false, batch: events },
  ...more,
})

const timed = event({}, { timestamp: '2026-01-02T03:04:05.000Z' })
const refused = { status: 401, holds: refusal('CLEW_INGEST_TOKEN', 'authentication_error') }

/** Events whose answer says what became of each (analytics §2, Capture V1). */
export const captureV1: readonly AnalyticsCase[] = [
  {
    rule: '2.3 the library is named by PostHog-Sdk-Info',
    calls: [v1([event({ $lib: 'other' })], { json: result('~uuid') })],
    stored: { events: [{ lib: 'posthog-node', properties: { $lib: 'posthog-node', $lib_version: '5.70.0' } }] },
  },
  {
    rule: '2.3 without PostHog-Sdk-Info the library is the event’s',
    calls: [v1([event({ $lib: 'own' })], { headers: { authorization: 'Bearer ~T' } })],
    stored: { events: [{ lib: 'own' }] },
  },
  {
    rule: '2.3 PostHog-Request-Timestamp is when it was sent',
    calls: [v1([timed])],
    stored: { events: [{ before_arrival: 2000, sent_at: '2026-01-02 03:04:07.000' }] },
  },
  {
    rule: '2.3 gzip by its header',
    calls: [v1([event()], { form: 'gzip header', json: result('~uuid') })],
    stored: { events: [{ event: 'ordered' }] },
  },
  {
    rule: '2.3 gzip by its first bytes',
    calls: [v1([event()], { form: 'gzip', json: result('~uuid') })],
    stored: { events: [{ event: 'ordered' }] },
  },
  {
    rule: '2.3 session_id and window_id are the properties’',
    calls: [v1([event({ $session_id: 'other' }, { session_id: '~ses', window_id: '~win' })])],
    stored: {
      events: [{ session_id: '~ses', window_id: '~win', properties: { $session_id: '~ses', $window_id: '~win' } }],
    },
  },
  {
    rule: '2.3 options.process_person_profile is a property elsewhere',
    calls: [v1([event({}, { options: { process_person_profile: false } })], { json: result('~uuid') })],
    stored: {
      events: [{ person_profile: false, properties: { $process_person_profile: false } }],
      persons: [],
    },
  },
  {
    rule: '2.3 options.product_tour_id is a property elsewhere',
    calls: [v1([event({}, { options: { product_tour_id: 'tour' } })], { json: result('~uuid') })],
    stored: { events: [{ properties: { $product_tour_id: 'tour' } }] },
  },
  {
    rule: '2.3 options.disable_skew_correction lets the event’s time stand',
    calls: [
      v1([event({}, { timestamp: '2026-01-02T03:04:05.000Z', options: { disable_skew_correction: true } })], {
        json: result('~uuid'),
      }),
    ],
    stored: {
      events: [{ timestamp: '2026-01-02 03:04:05.000', properties: { $ignore_sent_at: true } }],
    },
  },
  {
    rule: '2.3 options.cookieless_mode asks for an id of the day',
    calls: [
      v1([event({ $host: 'a.test' }, { distinct_id: '$posthog_cookieless', options: { cookieless_mode: true } })]),
    ],
    stored: { events: [{ person_profile: false, properties: { $cookieless_mode: true } }] },
  },
  {
    rule: '2.3 $set and $set_once are of the properties',
    calls: [v1([event({ $set: { plan: 'pro' }, $set_once: { first: 'mail' } }, { event: '$set' })])],
    stored: { events: [{ event: '$set' }], persons: [{ ids: ['~ada'], properties: { plan: 'pro', first: 'mail' } }] },
  },
  {
    rule: '2.3 each event is answered by its uuid, a bad one with the reason',
    calls: [
      v1(
        [
          event(),
          event({}, { uuid: '~uuid2', event: '' }),
          event({}, { uuid: '~uuid3', distinct_id: null }),
          event({ text: 'x'.repeat(1024 * 1024) }, { uuid: '~uuid4' }),
        ],
        {
          json: {
            results: {
              '~uuid': { result: 'ok' },
              '~uuid2': { result: 'drop', details: 'no_event_name' },
              '~uuid3': { result: 'drop', details: 'no_distinct_id' },
              '~uuid4': { result: 'drop', details: 'too_large' },
            },
          },
          answer: { 'content-type': 'application/json; charset=utf-8' },
        },
      ),
    ],
    stored: { events: [{ uuid: '~uuid' }] },
  },
  {
    rule: '2.3 a batch of bad events only is answered as one with good ones',
    calls: [
      v1([event({}, { event: '' })], { json: { results: { '~uuid': { result: 'drop', details: 'no_event_name' } } } }),
    ],
  },
  {
    rule: '2.3 another attempt is stored once',
    calls: [v1([event()]), v1([event()], { headers: { ...headers, 'posthog-attempt': '2' }, afterwards: true })],
    stored: { events: [{ uuid: '~uuid' }] },
  },
  {
    rule: '2.3 an empty batch',
    calls: [v1([], { status: 400, holds: refusal('CLEW_INGEST_NO_EVENTS') })],
  },
  { rule: '2.3 no bearer token', calls: [v1([event()], { headers: {}, ...refused })] },
  {
    rule: '2.3 an unknown bearer token',
    calls: [v1([event()], { headers: { authorization: 'Bearer x' }, ...refused })],
  },
  {
    rule: '2.3 the token as a basic one',
    calls: [v1([event()], { headers: { authorization: 'Basic ~T' }, ...refused })],
  },
  {
    rule: '2.3 an unknown bearer token, before the body is read',
    calls: [v1([], { headers: { authorization: 'Bearer x' }, body: Buffer.from('1f8b0800', 'hex'), ...refused })],
  },
  {
    rule: '2.3 a token in the body is none',
    calls: [v1([], { headers: {}, body: { api_key: '~T', batch: [event()] }, ...refused })],
  },
]
