import { type AnalyticsCase, batch, type Call, capture, event, ok, refusal } from './case.ts'

/** A path that takes events, with and without a slash at its end. */
const takesEvents = (path: string): readonly AnalyticsCase[] =>
  [path, `${path}/`].map((url) => ({
    rule: `1 ${url} takes events`,
    calls: [{ request: `POST ${url}`, body: batch(event()), text: ok }],
    stored: { events: [{ event: 'ordered', distinct_id: '~ada' }] },
  }))

const answers = (rule: string, call: Call): AnalyticsCase => ({ rule: `1 ${rule}`, calls: [call] })

const secret = { authorization: 'Bearer ~K' }
const message = {
  ...{ uuid: '~uuid', event: '$snapshot', offset: 1 },
  properties: {
    ...{ token: '~T', distinct_id: '~ada', $session_id: '~ses', $window_id: '~win' },
    $snapshot_data: [{ type: 4, data: { href: 'https://a.test/', width: 1, height: 1 }, timestamp: 1_767_323_045_000 }],
  },
}

const oldParameters: AnalyticsCase = {
  rule: '1 old query parameters change nothing',
  calls: [
    {
      request: 'POST /e/?ip=1&ver=1.20.0&_=1767323045678&retry_count=3',
      ...{ body: batch(event()), text: ok },
    },
  ],
  stored: { events: [{ event: 'ordered', sent_at: '2026-01-02 03:04:05.678', lacks: ['ip', 'ver', 'retry_count'] }] },
}

const beacon: AnalyticsCase = {
  rule: '1 beacon=1 is answered 204, and taken',
  calls: [{ request: 'POST /e/?beacon=1', body: batch(event()), form: 'gzip', status: 204, text: '' }],
  stored: { events: [{ event: 'ordered' }] },
}

/** Paths that answer without storing anything. */
const reads: readonly AnalyticsCase[] = [
  answers('/static/array.js is the library', {
    request: 'GET /static/array.js',
    ...{ file: 'array.js', answer: { 'content-type': 'text/javascript; charset=utf-8' } },
  }),
  answers('/array/T/config.js is the configuration as a script', {
    request: 'GET /array/~T/config.js',
    page: { _POSTHOG_REMOTE_CONFIG: { '~T': { siteApps: [] } } },
  }),
  ...['config', 'config/'].map((path) =>
    answers(`/array/T/${path} is the configuration as JSON`, {
      request: `GET /array/~T/${path}`,
      holds: { supportedCompression: ['gzip', 'gzip-js'] },
    }),
  ),
  answers('/array/T/array.js sets the configuration, and is the library', {
    request: 'GET /array/~T/array.js',
    ...{ status: 200, answer: { 'content-type': 'text/javascript; charset=utf-8' } },
  }),
  answers('/static/<version>/<name>.js is a part', {
    request: 'GET /static/~V/surveys.js',
    file: 'surveys.js',
  }),
  answers('/static/<name>.js?v=<version> is a part, as earlier builds ask', {
    request: 'GET /static/surveys.js?v=1.200.0',
    file: 'surveys.js',
  }),
  ...['/flags/?v=2', '/flags?v=2', '/decide/?v=3', '/decide?v=3'].map((path) =>
    answers(`${path} evaluates flags`, {
      request: `POST ${path}`,
      ...{ body: { token: '~T', distinct_id: '~ada' }, holds: { errorsWhileComputingFlags: false } },
    }),
  ),
  ...['/flags/definitions', '/flags/definitions/', '/api/feature_flag/local_evaluation'].map((path) =>
    answers(`${path} answers definitions`, {
      request: `GET ${path}?token=~T&send_cohorts`,
      ...{ headers: secret, holds: { group_type_mapping: { 0: 'company' } } },
    }),
  ),
  ...['/api/surveys/?token=~T&_=1767323045678', '/api/surveys?token=~T'].map((path) =>
    answers(`${path.replace('~T', 'T')} answers surveys`, {
      request: `GET ${path}`,
      holds: { surveys: [{ name: 'After the order' }] },
    }),
  ),
  ...['/api/early_access_features/?token=~T', '/api/early_access_features?token=~T'].map((path) =>
    answers(`${path.replace('~T', 'T')} answers features`, {
      request: `GET ${path}`,
      holds: { earlyAccessFeatures: [{ name: 'Beta' }] },
    }),
  ),
  ...['/api/web_experiments/', '/api/web_experiments'].map((path) =>
    answers(`${path} has no experiments`, { request: `GET ${path}?token=~T`, json: { experiments: [] } }),
  ),
  ...['/api/product_tours/', '/api/product_tours'].map((path) =>
    answers(`${path} has no tours`, { request: `GET ${path}?token=~T`, json: { product_tours: [] } }),
  ),
]

/** What older clients say of a person, in the form that they send it. */
const engagement = { uuid: '~uuid', $token: '~T', $distinct_id: '~ada', $set: { plan: 'pro' } }

/** Events of `/engage` need no name. */
const engages: readonly AnalyticsCase[] = [
  ...(['json', 'base64 form'] as const).map((form) => ({
    rule: `1 /engage/ takes what has no name for $identify, as ${form}`,
    calls: [{ request: 'POST /engage/', body: engagement, form, text: ok }],
    stored: {
      events: [{ event: '$identify', distinct_id: '~ada' }],
      persons: [{ ids: ['~ada'], properties: { plan: 'pro' } }],
    },
  })),
  {
    rule: '1 GET /engage/?data= takes what has no name for $identify',
    calls: [{ request: 'GET /engage/?', body: engagement, form: 'base64 pixel', text: ok }],
    stored: { events: [{ event: '$identify' }] },
  },
  {
    rule: '1 /engage/ leaves the names that there are, in a large batch too',
    calls: [
      {
        request: 'POST /engage/',
        ...{ body: batch(event(), { ...engagement, uuid: '~uuid2' }), sizeBytes: 70_000, text: ok },
      },
    ],
    stored: { events: [{ event: 'ordered' }, { event: '$identify' }] },
  },
  answers('/engage/ needs an id', {
    request: 'POST /engage/',
    ...{ body: { $token: '~T', $set: { plan: 'pro' } }, status: 400, holds: refusal('CLEW_INGEST_BAD_EVENT') },
  }),
  answers('elsewhere an event needs a name', {
    request: 'POST /track/',
    ...{ body: engagement, status: 400, holds: refusal('CLEW_INGEST_BAD_EVENT') },
  }),
]

const nothingThere = { status: 404, holds: refusal('CLEW_INGEST_NOT_FOUND') }

/** What is not served is 404 in JSON: a script tag or a client must not take a page for an answer. */
const unknown: readonly AnalyticsCase[] = [
  ...[
    'POST /i/v1/logs?token=~T',
    'POST /i/v1/metrics?token=~T',
    'POST /i/v1/traces',
    'POST /api/conversations/v1/widget/messages',
    'POST /api/projects/@current/messaging/send',
    'GET /nothing/at/all',
    'GET /',
    'PUT /e/',
    'DELETE /e/',
    'PATCH /flags/',
    'GET /s/',
  ].map((request) => answers(`${request.replace('~T', 'T')} is not served`, { request, ...nothingThere })),
  ...['GET /array/phc_other/config', 'GET /array/phc_other/config.js', 'GET /array/phc_other/array.js'].map((request) =>
    answers(`${request} is of no project`, { request, ...nothingThere }),
  ),
  ...['surveys', 'early_access_features', 'web_experiments', 'product_tours'].flatMap((list) =>
    [`/api/${list}/`, `/api/${list}/?token=phc_other`].map((path) =>
      answers(`${path} needs the project’s token`, {
        request: `GET ${path}`,
        ...{ status: 401, holds: refusal('CLEW_INGEST_TOKEN', 'authentication_error') },
      }),
    ),
  ),
]

/** The endpoints (analytics §1). */
export const endpoints: readonly AnalyticsCase[] = [
  ...['/e', '/batch', '/capture', '/track', '/engage', '/i/v0/e', '/i/v0/ai/batch'].flatMap(takesEvents),
  ...['/s', '/s/'].map((url) => ({
    rule: `1 ${url} takes recordings`,
    calls: [{ request: `POST ${url}`, body: [message], text: ok }],
    stored: { messages: [{ uuid: '~uuid', session_id: '~ses', window_id: '~win' }] },
  })),
  ...['/i/v1/analytics/events', '/i/v1/analytics/events/'].map((url) => ({
    rule: `1 ${url} takes events by the token of its header`,
    calls: [
      {
        request: `POST ${url}`,
        headers: { authorization: 'Bearer ~T' },
        ...{ body: { batch: [event()] }, json: { results: { '~uuid': { result: 'ok' } } } },
      },
    ],
    stored: { events: [{ event: 'ordered' }] },
  })),
  {
    rule: '1 GET /e/?data= takes events',
    calls: [{ request: 'GET /e/?', body: batch(event()), form: 'base64 pixel', text: ok }],
    stored: { events: [{ event: 'ordered' }] },
  },
  oldParameters,
  beacon,
  {
    rule: '1 a repeated parameter counts once',
    calls: [{ ...capture(event()), request: 'POST /e/?token=~T&token=phc_other', text: ok }],
    stored: { events: [{ event: 'ordered' }] },
  },
  ...engages,
  ...reads,
  ...unknown,
]
