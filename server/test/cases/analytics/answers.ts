import { type AnalyticsCase, batch, type Call, event, ok, refusal } from './case.ts'

const refused = (words: string, code: string, call: Partial<Call>): AnalyticsCase => ({
  rule: `2.2 ${words}`,
  calls: [{ request: 'POST /e/', status: 400, holds: refusal(code), ...call }],
})

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const deep = (depth: number): string =>
  `{"api_key":"~T","uuid":"~uuid","event":"ordered","distinct_id":"~ada","properties":{"deep":${nested(depth)}}}`
const tooDeep = 'CLEW_INGEST_TOO_DEEP'
const snapshot = (properties: object): readonly object[] => [
  { uuid: '~uuid', event: '$snapshot', properties: { token: '~T', distinct_id: '~ada', ...properties } },
]
const recorded = [{ type: 4, data: { href: 'https://a.test/' }, timestamp: 1_767_323_045_000 }]

const refusals: readonly AnalyticsCase[] = [
  refused('an empty body', 'CLEW_INGEST_NO_EVENTS', { body: '' }),
  refused('an empty batch', 'CLEW_INGEST_NO_EVENTS', { body: batch() }),
  refused('an empty list', 'CLEW_INGEST_NO_EVENTS', { body: '[]' }),
  refused('a number', 'CLEW_INGEST_NO_EVENTS', { body: '7' }),
  refused('null', 'CLEW_INGEST_NO_EVENTS', { body: 'null' }),
  refused('no event name', 'CLEW_INGEST_BAD_EVENT', { body: batch(event({}, { event: undefined })) }),
  refused('an empty event name', 'CLEW_INGEST_BAD_EVENT', { body: batch(event({}, { event: '' })) }),
  refused('an event name that is a number', 'CLEW_INGEST_BAD_EVENT', { body: batch(event({}, { event: 7 })) }),
  refused('a batch of things that are no events', 'CLEW_INGEST_BAD_EVENT', { body: batch(null, 7, 'x', []) }),
  refused('a recording without a session', 'CLEW_INGEST_BAD_EVENT', {
    ...{ request: 'POST /s/', body: snapshot({ $snapshot_data: recorded }) },
  }),
  refused('a recording without data', 'CLEW_INGEST_BAD_EVENT', {
    ...{ request: 'POST /s/', body: snapshot({ $session_id: '~ses' }) },
  }),
  refused('a recording without anything to play', 'CLEW_INGEST_BAD_EVENT', {
    ...{ request: 'POST /s/', body: snapshot({ $session_id: '~ses', $snapshot_data: [{ type: 'x' }] }) },
  }),
  refused('a recording without a distinct id', 'CLEW_INGEST_BAD_EVENT', {
    request: 'POST /s/',
    body: snapshot({ distinct_id: undefined, $session_id: '~ses', $snapshot_data: recorded }),
  }),
  {
    rule: '2.2 JSON nested 200 deep',
    calls: [{ request: 'POST /e/', body: deep(198), text: ok }],
    stored: { events: [{ event: 'ordered' }] },
  },
  refused('JSON nested 201 deep', tooDeep, { body: deep(199) }),
  refused('JSON nested 100,000 deep', tooDeep, { body: deep(100_000) }),
  refused('JSON nested 100,000 deep, in gzip', tooDeep, { body: deep(100_000), form: 'gzip' }),
  refused('JSON nested 100,000 deep, in base64', tooDeep, { body: deep(100_000), form: 'base64' }),
  refused('a recording nested 100,000 deep', tooDeep, { request: 'POST /s/', body: `[${deep(100_000)}]` }),
  refused('a call for flags nested 100,000 deep', tooDeep, { request: 'POST /flags/?v=2', body: deep(100_000) }),
  refused('Capture V1 nested 100,000 deep', tooDeep, {
    request: 'POST /i/v1/analytics/events',
    ...{ headers: { authorization: 'Bearer ~T' }, body: `{"batch":[${deep(100_000)}]}` },
  }),
  {
    rule: '2.2 a refusal says what to do, in the form of PostHog’s',
    calls: [
      {
        ...{ request: 'POST /e/', body: 'hello', status: 400 },
        json: {
          ...{ type: 'validation_error', code: 'CLEW_INGEST_JSON', attr: null },
          detail: 'The body is not JSON. Check the body that was sent.',
        },
      },
    ],
  },
  {
    rule: '2.2 a refusal of recordings is that of events',
    calls: [
      {
        ...{
          request: 'POST /s/',
          body: snapshot({ token: 'phc_other', $session_id: '~ses', $snapshot_data: recorded }),
        },
        ...{ status: 401, holds: refusal('CLEW_INGEST_TOKEN', 'authentication_error') },
      },
    ],
  },
]

const good = event({ n: 1 })
const again = event({ n: 2 }, { uuid: '~uuid2' })

const batches: readonly AnalyticsCase[] = [
  {
    rule: '2.2 what was taken is answered exactly 200 and status Ok',
    calls: [
      {
        ...{ request: 'POST /e/', body: batch(good), status: 200, text: ok },
        answer: { 'content-type': 'application/json; charset=utf-8' },
      },
    ],
    stored: { events: [{ uuid: '~uuid' }] },
  },
  {
    rule: '2.2 a bad event does not harm its batch',
    calls: [
      {
        ...{ request: 'POST /e/', text: ok },
        body: batch(
          ...[null, 'x', 7, [], { bad: true }, event({}, { event: '' }), good],
          { event: 'no id', uuid: '~uuid3', properties: {} },
          again,
        ),
      },
    ],
    stored: { events: [{ uuid: '~uuid' }, { uuid: '~uuid2' }] },
  },
  {
    rule: '2.2 a bad recording message does not harm those beside it',
    calls: [
      {
        ...{ request: 'POST /s/', text: ok },
        body: [
          ...snapshot({ $session_id: 'not / allowed', $snapshot_data: recorded }),
          ...snapshot({ $session_id: '~ses', $snapshot_data: recorded }),
        ],
      },
    ],
    stored: { messages: [{ session_id: '~ses' }] },
  },
  {
    rule: '2.2 a batch that is sent again is stored once',
    calls: [
      { request: 'POST /e/', body: batch(good, again), text: ok },
      { request: 'POST /e/?retry_count=1', body: batch(good, again), text: ok },
      { request: 'POST /e/?retry_count=2', body: batch(good, again), text: ok, afterwards: true },
    ],
    stored: { events: [{ uuid: '~uuid' }, { uuid: '~uuid2' }] },
  },
  {
    rule: '2.2 an event is stored once that two batches hold',
    calls: [
      { request: 'POST /e/', body: batch(good), text: ok },
      { request: 'POST /batch/', body: batch(again, good), form: 'gzip', text: ok, afterwards: true },
    ],
    stored: { events: [{ uuid: '~uuid' }, { uuid: '~uuid2' }] },
  },
  {
    rule: '2.2 recordings that are sent again are stored once',
    calls: [
      { request: 'POST /s/', body: snapshot({ $session_id: '~ses', $snapshot_data: recorded }), text: ok },
      {
        ...{ request: 'POST /s/?retry_count=1', text: ok, afterwards: true },
        ...{ body: snapshot({ $session_id: '~ses', $snapshot_data: recorded }), form: 'gzip' },
      },
    ],
    stored: { messages: [{ session_id: '~ses' }] },
  },
  {
    rule: '2.2 recordings by a beacon are answered 204',
    calls: [
      {
        ...{ request: 'POST /s/?beacon=1', status: 204, text: '' },
        body: snapshot({ $session_id: '~ses', $snapshot_data: recorded }),
      },
    ],
    stored: { messages: [{ session_id: '~ses' }] },
  },
  refused('a beacon that holds nothing is 400', 'CLEW_INGEST_NO_EVENTS', { request: 'POST /e/?beacon=1', body: '' }),
]

/** What captures are answered (analytics §2, answers to captures). */
export const captureAnswers: readonly AnalyticsCase[] = [...refusals, ...batches]
