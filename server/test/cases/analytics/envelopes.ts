import { type AnalyticsCase, batch, type Call, event, ok, refusal } from './case.ts'

const taken = (words: string, call: Partial<Call>, stored: object = {}): AnalyticsCase => ({
  rule: `2.1 ${words}`,
  calls: [{ request: 'POST /e/', text: ok, ...call }],
  stored: { events: [{ event: 'ordered', distinct_id: '~ada', ...stored }] },
})

const refused = (words: string, call: Partial<Call>): AnalyticsCase => ({
  rule: `2.1 ${words}`,
  calls: [
    {
      request: 'POST /e/',
      ...{ status: 401, holds: refusal('CLEW_INGEST_TOKEN', 'authentication_error') },
      ...call,
    },
  ],
})

const shapes: readonly AnalyticsCase[] = [
  taken('api_key, batch and sent_at, as browsers send', {
    body: { ...batch(event({}, { timestamp: '2026-01-02T03:04:05.000Z' })), sent_at: '2026-01-02T03:04:07.000Z' },
  }),
  taken('an array of events with their tokens and offsets', { body: [event({ token: '~T' }, { offset: 2000 })] }),
  taken('one event with its token and offset', { body: event({ token: '~T' }, { offset: 2000 }) }),
  taken('batch with historical_migration, as posthog-node sends', {
    request: 'POST /batch/',
    body: { ...batch(event()), historical_migration: true, sent_at: '2026-01-02T03:04:07.000Z' },
  }),
  taken('a list named data', { body: { api_key: '~T', data: [event()] } }),
  taken('a batch that is one event', { body: { api_key: '~T', batch: event() } }),
  ...['api_key', 'token'].map((name) =>
    taken(`one event beside its ${name}`, { request: 'POST /capture/', body: { ...event(), [name]: '~T' } }),
  ),
]

const tokens: readonly AnalyticsCase[] = [
  ...['api_key', 'token', '$token'].map((name) =>
    taken(`the token is the envelope’s ${name}`, { body: { [name]: '~T', batch: [event()] } }),
  ),
  ...['api_key', 'token', '$token'].map((name) =>
    taken(`the token is the event’s ${name}`, { body: [event({}, { [name]: '~T' })] }),
  ),
  taken('the token is a property', { body: [event({ token: '~T' })] }),
  ...['token', 'api_key'].map((name) =>
    taken(`the token is ${name} of the address`, { request: `POST /e/?${name}=~T`, body: [event()] }),
  ),
  taken('the envelope’s token counts before that of an event', {
    body: { api_key: '~T', batch: [event({ token: 'phc_other' })] },
  }),
  taken('the event’s token counts before that of its properties', {
    body: [event({ token: 'phc_other' }, { token: '~T' })],
  }),
  refused('no token', { body: event() }),
  refused('an empty token', { body: { ...event(), api_key: '' } }),
  refused('an unknown token', { body: { ...event(), api_key: 'phc_other' } }),
  refused('the secret key is no token', { body: { ...event(), api_key: '~K' } }),
  refused('an unknown token in the envelope, beside a known one of the event', {
    body: { api_key: 'phc_other', batch: [event({ token: '~T' })] },
  }),
  refused('two tokens in one request', {
    body: [event({ token: '~T' }), event({ token: 'phc_other' }, { uuid: '~uuid2' })],
  }),
  refused('recordings with an unknown token in the address, before the body is read', {
    request: 'POST /s/?api_key=phc_other',
    body: Buffer.from('1f8b0800', 'hex'),
  }),
  refused('an unknown token in the address, before the body is read', {
    request: 'POST /e/?token=phc_other',
    body: Buffer.from('1f8b0800', 'hex'),
  }),
]

/** An event whose id is found as the rule says. */
const identified = (words: string, sent: object, distinctId: string): AnalyticsCase => ({
  rule: `2.1 ${words}`,
  calls: [{ request: 'POST /e/', body: batch({ uuid: '~uuid', event: 'ordered', ...sent }), text: ok }],
  stored: { events: [{ event: 'ordered', distinct_id: distinctId }] },
})

const anonymous = (words: string, sent: object): AnalyticsCase => ({
  rule: `2.1 ${words}`,
  calls: [
    {
      ...{ request: 'POST /e/', status: 400, holds: refusal('CLEW_INGEST_BAD_EVENT') },
      body: batch({ uuid: '~uuid', event: 'ordered', ...sent }),
    },
  ],
})

const distinctIds: readonly AnalyticsCase[] = [
  identified('the distinct id is the event’s', { distinct_id: '~ada', properties: { distinct_id: '~bob' } }, '~ada'),
  identified('the distinct id is the event’s $distinct_id', { $distinct_id: '~ada', properties: {} }, '~ada'),
  identified('the distinct id is a property', { properties: { distinct_id: '~ada' } }, '~ada'),
  identified(
    'the distinct id is a property that begins with a dollar',
    { properties: { $distinct_id: '~ada' } },
    '~ada',
  ),
  identified('a number is a distinct id', { distinct_id: 42, properties: {} }, '42'),
  identified('a truth is a distinct id', { distinct_id: true, properties: {} }, 'true'),
  identified(
    'an object is a distinct id, as its text',
    { distinct_id: { id: '~ada' }, properties: {} },
    '{"id":"~ada"}',
  ),
  identified('null is none', { distinct_id: null, properties: { distinct_id: '~ada' } }, '~ada'),
  identified('an empty text is none', { distinct_id: ' ', properties: { distinct_id: '~ada' } }, '~ada'),
  identified('spaces around it are left out', { distinct_id: ' ~ada ' }, '~ada'),
  identified('NUL is left out of it', { distinct_id: '~ada\u0000' }, '~ada'),
  identified('half of a surrogate pair in it is replaced', { distinct_id: '~ada\ud800' }, '~ada\ufffd'),
  identified('200 characters are kept of it', { distinct_id: `~ada${'x'.repeat(191)}` }, `~ada${'x'.repeat(191)}`),
  identified('further ones are left out', { distinct_id: `~ada${'x'.repeat(192)}y` }, `~ada${'x'.repeat(191)}`),
  anonymous('no distinct id', { properties: {} }),
  anonymous('an empty distinct id', { distinct_id: '', properties: {} }),
  anonymous('a distinct id of NUL', { distinct_id: '\u0000', properties: {} }),
]

/** How events lie in a body, whose they are, and of whom they are (analytics §2, envelopes). */
export const envelopes: readonly AnalyticsCase[] = [...shapes, ...tokens, ...distinctIds]
