import { type AnalyticsCase, refusal } from './case.ts'

const names = [
  ...['array', 'array.full', 'array.no-external', 'array.full.no-external', 'array.full.es5'],
  ...['lazy-recorder', 'posthog-recorder', 'recorder', 'recorder-v2', 'surveys'],
  ...['web-vitals', 'web-vitals-with-attribution', 'exception-autocapture', 'dead-clicks-autocapture'],
  ...['logs', 'conversations', 'product-tours', 'crisp-chat-integration', 'intercom-integration'],
  ...['all-external-dependencies', 'external-scripts-loader', 'customizations', 'element-inference'],
].map((name) => `${name}.js`)

const type = { 'content-type': 'text/javascript; charset=utf-8' }
const forever = { ...type, 'cache-control': 'public, max-age=31536000, immutable' }
const short = { ...type, 'cache-control': 'public, max-age=60' }

/** What posthog-js loads by itself (analytics §8). */
export const scripts: readonly AnalyticsCase[] = [
  ...names.map((file) => ({
    rule: `8 ${file} is the package’s own, and kept for ever under its version`,
    calls: [{ request: `GET /static/~V/${file}`, file, answer: forever }],
  })),
  ...names.slice(0, 12).map((file) => ({
    rule: `8 ${file} by its name alone is kept for a minute`,
    calls: [{ request: `GET /static/${file}`, file, answer: short }],
  })),
  {
    rule: '8 tracing-headers.js is the package’s own under its version',
    calls: [{ request: 'GET /static/~V/tracing-headers.js', file: 'tracing-headers.js', answer: forever }],
  },
  {
    rule: '8 another version’s path answers the installed one, kept for a minute',
    calls: [{ request: 'GET /static/1.999.0/surveys.js', file: 'surveys.js', answer: short }],
  },
  {
    rule: '8 a script comes compressed where the client takes it',
    calls: [
      {
        ...{ request: 'GET /static/surveys.js', headers: { 'accept-encoding': 'gzip, br' }, file: 'surveys.js' },
        answer: { ...short, 'content-encoding': 'gzip' },
      },
      {
        ...{ request: 'GET /static/surveys.js', headers: { 'accept-encoding': 'identity' }, file: 'surveys.js' },
        answer: { ...short, 'content-encoding': null },
      },
    ],
  },
  {
    rule: '8 a script that the client has is not sent again',
    calls: [
      { request: 'GET /static/surveys.js', file: 'surveys.js' },
      { request: 'GET /static/surveys.js', headers: { 'if-none-match': '~E' }, status: 304, text: '' },
    ],
  },
  ...['/static/surveys.js/', '/static/~V/surveys.js/'].map((path) => ({
    rule: `8 ${path.replace('~V', '<version>')} is the script as well`,
    calls: [{ request: `GET ${path}`, file: 'surveys.js' }],
  })),
  {
    rule: '8 /array/T/config.js/ is the script as well',
    calls: [{ request: 'GET /array/~T/config.js/', answer: short }],
  },
  {
    rule: '8 /array/T/array.js/ is the script as well',
    calls: [{ request: 'GET /array/~T/array.js/', answer: short }],
  },
  ...[
    ...[
      'toolbar.js',
      'toolbar.css',
      'nothing.js',
      'main.d.ts',
      'array.js.map',
      'remote-config.js',
      '..%2Fpackage.json',
    ],
    ...[
      '%2e%2e%2fpackage.json',
      '1.0.0/toolbar.js',
      '1.0.0/..%2Fpackage.json',
      '1.0.0/%2e%2e%2fpackage.json',
      '',
      '1.0.0/',
    ],
  ].map((name) => ({
    rule: `8 /static/${name} is no script`,
    calls: [{ request: `GET /static/${name}`, status: 404, holds: refusal('CLEW_INGEST_NOT_FOUND') }],
  })),
]
