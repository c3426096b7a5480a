import { type AnalyticsCase, batch, event } from './case.ts'

/** Of a page that local mode serves: others may not use its public keys. */
const origin = 'http://localhost:5173'
const fromPage = {
  'access-control-allow-origin': origin,
  'access-control-expose-headers': 'Retry-After',
}

const preflight = (path: string): AnalyticsCase => ({
  rule: `1.1 a preflight of ${path} needs no token`,
  calls: [
    {
      request: `OPTIONS ${path}`,
      headers: {
        ...{ origin, 'access-control-request-method': 'POST' },
        'access-control-request-headers': 'content-type,x-posthog-session-id,x-own',
      },
      ...{ status: 204, text: '' },
      answer: {
        ...fromPage,
        'access-control-allow-headers': 'content-type,x-posthog-session-id,x-own',
        'access-control-allow-methods': 'GET, POST, OPTIONS',
        'access-control-max-age': '86400',
        vary: 'Origin',
      },
    },
  ],
})

/** What is answered to a page of another origin. */
const answered = (words: string, request: string, status: number, body?: unknown, more = {}): AnalyticsCase => ({
  rule: `1.1 ${words} names the origin`,
  calls: [{ request, body, headers: { origin }, status, answer: { ...fromPage, vary: 'Origin' }, ...more }],
})

/** Pages are of another origin (analytics §1, CORS). */
export const cors: readonly AnalyticsCase[] = [
  ...[
    ...['/', '/e/', '/s', '/batch/', '/flags/?v=2', '/decide', '/i/v1/analytics/events', '/api/surveys/'],
    ...[
      '/static/array.js',
      '/static/1.0.0/x.js',
      '/array/x/config',
      '/array/x/config.js',
      '/consent',
      '/nothing/at/all',
    ],
  ].map(preflight),
  {
    ...answered('a capture', 'POST /e/', 200, batch(event())),
    stored: { events: [{ event: 'ordered' }] },
  },
  answered('a refused capture', 'POST /e/', 401, event()),
  answered('a body that is no JSON', 'POST /e/', 400, 'hello'),
  answered('an unknown path', 'GET /nothing', 404),
  answered('flags', 'POST /flags/?v=2', 200, { token: '~T', distinct_id: '~ada' }),
  answered('refused flags', 'POST /flags/?v=2', 401, { token: 'phc_other', distinct_id: '~ada' }),
  answered('the configuration', 'GET /array/~T/config', 200),
  answered('the configuration’s script', 'GET /array/~T/config.js', 200),
  answered('a list', 'GET /api/surveys/?token=~T', 200),
  {
    rule: '1.1 a script names the origin, and that it may come compressed',
    calls: [
      {
        ...{ request: 'GET /static/array.js', headers: { origin } },
        answer: { ...fromPage, vary: 'Origin, Accept-Encoding' },
      },
    ],
  },
  answered('a script that is none', 'GET /static/toolbar.js', 404),
  {
    rule: '1.1 without an origin every one is allowed, as a cache may hand the answer to a page',
    calls: [
      {
        ...{ request: 'GET /array/~T/config' },
        answer: { 'access-control-allow-origin': '*', vary: 'Origin', 'access-control-expose-headers': 'Retry-After' },
      },
    ],
  },
]
