import { type AnalyticsCase, type Call, capture, event, ok, refusal } from './case.ts'
import { otherSettings } from './project.ts'

const decide = (granted: unknown, more: object = {}): Call => ({
  request: 'POST /consent',
  ...{ body: { token: '~T', distinct_id: '~ada', granted, ...more }, text: ok },
})
const refused = (words: string, body: unknown, status: number, code: string, type?: string): AnalyticsCase => ({
  rule: `11 ${words}`,
  calls: [{ request: 'POST /consent', body, status, holds: refusal(code, type) }],
})
const required = (words: string, calls: readonly Call[], stored: AnalyticsCase['stored'] = {}): AnalyticsCase => ({
  rule: `11 where consent is required, ${words}`,
  calls,
  stored,
  settings: otherSettings,
})
const message = {
  ...{ uuid: '~uuid9', event: '$snapshot' },
  properties: {
    ...{ token: '~T', distinct_id: '~ada', $session_id: '~ses' },
    $snapshot_data: [{ type: 4, data: { href: 'https://a.test/' }, timestamp: 1_767_323_045_000 }],
  },
}
const record: Call = { request: 'POST /s/', body: [message], text: ok }

/** What visitors have decided (analytics §11). */
export const consent: readonly AnalyticsCase[] = [
  ...['/consent', '/consent/'].map((path) => ({
    rule: `11 ${path} takes a decision`,
    calls: [{ ...decide(true), request: `POST ${path}` }],
  })),
  { rule: '11 the token is api_key', calls: [decide(true, { token: undefined, api_key: '~T' })] },
  {
    rule: '11 the token is of the address',
    calls: [{ ...decide(true, { token: undefined }), request: 'POST /consent?token=~T' }],
  },
  { rule: '11 a decision in gzip', calls: [{ ...decide(true), form: 'gzip' }] },
  refused('no distinct id', { token: '~T', granted: true }, 400, 'CLEW_INGEST_NO_DISTINCT_ID'),
  ...['yes', 1, null, undefined].map((granted) =>
    refused(
      `granted that is ${granted === undefined ? 'missing' : JSON.stringify(granted)}`,
      { token: '~T', distinct_id: '~ada', granted },
      400,
      'CLEW_INGEST_CONSENT',
    ),
  ),
  refused('no token', { distinct_id: '~ada', granted: true }, 401, 'CLEW_INGEST_TOKEN', 'authentication_error'),
  refused(
    'an unknown token',
    { token: 'x', distinct_id: '~ada', granted: true },
    401,
    'CLEW_INGEST_TOKEN',
    'authentication_error',
  ),
  refused('a body that is no JSON', 'hello', 400, 'CLEW_INGEST_JSON'),
  {
    rule: '11 who has refused is stored nothing of, and clients are answered 200',
    calls: [decide(false), { ...capture(event()), text: ok }, record],
    stored: { persons: [] },
  },
  {
    rule: '11 $opt_out refuses',
    calls: [
      capture(event({}, { event: '$opt_out' })),
      { ...capture(event({}, { uuid: '~uuid2' })), text: ok, afterwards: true },
    ],
    stored: { persons: [] },
  },
  required('nothing is stored of who did not answer', [capture(event()), record], { persons: [] }),
  required(
    'what they do after their consent is stored',
    [capture(event()), { ...decide(true), afterwards: true }, capture(event({}, { uuid: '~uuid2' })), record],
    {
      events: [{ uuid: '~uuid2' }],
      messages: [{ session_id: '~ses' }],
      persons: [{ ids: ['~ada'] }],
    },
  ),
  required('the latest decision counts', [decide(true), decide(false), capture(event()), record], { persons: [] }),
  required('$opt_in is a consent', [capture(event({}, { event: '$opt_in' })), capture(event({}, { uuid: '~uuid2' }))], {
    events: [{ event: '$opt_in' }, { event: 'ordered' }],
  }),
  required(
    'an id that did not answer is let in by one that consented',
    [
      decide(true, { distinct_id: '~bob' }),
      capture(event({ $anon_distinct_id: '~bob' }, { event: '$identify' })),
      { ...capture(event({}, { uuid: '~uuid2' })), afterwards: true },
    ],
    { events: [{ event: '$identify' }, { event: 'ordered' }], persons: [{ ids: ['~ada', '~bob'] }] },
  ),
  required('flags are answered all the same', [
    {
      request: 'POST /flags/?v=2',
      body: { token: '~T', distinct_id: '~ada' },
      holds: { errorsWhileComputingFlags: false },
    },
  ]),
]
