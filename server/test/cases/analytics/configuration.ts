import { type AnalyticsCase, batch, event, ok } from './case.ts'
import { otherSettings } from './project.ts'

/** Those of the web vitals that are measured where any are. */
const web_vitals_allowed_metrics = ['LCP', 'INP', 'CLS', 'FCP']

const constant = {
  ...{ token: '~T', supportedCompression: ['gzip', 'gzip-js'], elementsChainAsString: true },
  ...{ productTours: false, conversations: false, logs: { captureConsoleLogs: false } },
  ...{ siteApps: [], toolbarParams: {}, isAuthenticated: false, defaultIdentifiedOnly: true },
}

/** Of a project with flags and surveys, and the default settings. */
const config = {
  ...constant,
  ...{ hasFeatureFlags: true, surveys: true, analytics: { endpoint: '/e/' }, autocapture_opt_out: false },
  ...{ autocaptureExceptions: true, errorTracking: { autocaptureExceptions: true, suppressionRules: [] } },
  ...{
    capturePerformance: { network_timing: true, web_vitals: true, web_vitals_allowed_metrics },
    captureDeadClicks: false,
    heatmaps: false,
  },
  sessionRecording: {
    ...{ endpoint: '/s/', consoleLogRecordingEnabled: true, recorderVersion: 'v2', sampleRate: null },
    ...{ minimumDurationMilliseconds: null, linkedFlag: null, urlTriggers: [], urlBlocklist: [], eventTriggers: [] },
    ...{ networkPayloadCapture: { recordHeaders: true, recordBody: false }, triggerMatchType: 'all' },
  },
}

/** Of one without, and with other settings. */
const otherConfig = {
  ...constant,
  ...{ hasFeatureFlags: false, surveys: false, analytics: { endpoint: '/own/' }, autocapture_opt_out: true },
  ...{ autocaptureExceptions: false, errorTracking: { autocaptureExceptions: false, suppressionRules: [] } },
  ...{
    capturePerformance: { network_timing: true, web_vitals: false, web_vitals_allowed_metrics },
    captureDeadClicks: true,
    heatmaps: true,
  },
  sessionRecording: {
    ...{ endpoint: '/film/', consoleLogRecordingEnabled: false, recorderVersion: 'v2', sampleRate: '0.5' },
    ...{ minimumDurationMilliseconds: 5000, linkedFlag: 'beta', eventTriggers: ['ordered'], triggerMatchType: 'any' },
    urlTriggers: [{ url: '/checkout', matching: 'regex' }],
    urlBlocklist: [{ url: '^https://x/admin', matching: 'regex' }],
    networkPayloadCapture: { recordHeaders: false, recordBody: true },
    masking: { maskAllInputs: false, maskTextSelector: '.name', blockSelector: '#card' },
    ...{ recordCanvas: true, canvasFps: 3, canvasQuality: '0.4' },
  },
}

const short = { 'cache-control': 'public, max-age=60' }
const script = { 'content-type': 'text/javascript; charset=utf-8', ...short }
const consented = { request: 'POST /consent', body: { token: '~T', distinct_id: '~ada', granted: true } }

/** What browsers are told to do (analytics §7). */
export const configuration: readonly AnalyticsCase[] = [
  {
    rule: '7 the configuration of a project with default settings',
    calls: [{ request: 'GET /array/~T/config', json: config, answer: short }],
  },
  {
    rule: '7 its script sets the same, and site apps, in the page',
    calls: [
      {
        ...{ request: 'GET /array/~T/config.js', answer: script },
        page: { _POSTHOG_REMOTE_CONFIG: { '~T': { config, siteApps: [] } } },
      },
    ],
  },
  {
    rule: '7 old query parameters change nothing',
    calls: [{ request: 'GET /array/~T/config?ip=0&_=1767323045678&ver=1.200.0', json: config }],
  },
  {
    rule: '7 what the settings say is in the configuration',
    calls: [{ request: 'GET /array/~T/config', json: otherConfig }],
    settings: otherSettings,
  },
  {
    rule: '7 and in its script',
    calls: [
      { request: 'GET /array/~T/config.js', page: { _POSTHOG_REMOTE_CONFIG: { '~T': { config: otherConfig } } } },
    ],
    settings: otherSettings,
  },
  ...['/own', '/own/', '/e/'].map((path) => ({
    rule: `7 ${path} takes events where the configuration says /own/`,
    calls: [consented, { request: `POST ${path}`, body: batch(event()), text: ok }],
    stored: { events: [{ event: 'ordered' }] },
    settings: otherSettings,
  })),
  ...['/film', '/film/', '/s/'].map((path) => ({
    rule: `7 ${path} takes recordings where the configuration says /film/`,
    calls: [
      consented,
      {
        ...{ request: `POST ${path}`, text: ok },
        body: [
          {
            ...{ uuid: '~uuid', event: '$snapshot' },
            properties: {
              ...{ token: '~T', distinct_id: '~ada', $session_id: '~ses' },
              $snapshot_data: [{ type: 4, data: { href: 'https://a.test/' }, timestamp: 1_767_323_045_000 }],
            },
          },
        ],
      },
    ],
    stored: { messages: [{ session_id: '~ses' }] },
    settings: otherSettings,
  })),
  {
    rule: '7 surveys that run are listed, with their questions and conditions',
    calls: [
      {
        request: 'GET /api/surveys/?token=~T',
        holds: {
          surveys: [
            {
              ...{ name: 'After the order', type: 'popover', schedule: 'once', end_date: null },
              ...{ enable_partial_responses: true, linked_flag_key: null },
              questions: [
                { type: 'rating', id: 'score', scale: 10 },
                { type: 'single_choice', choices: ['Price', 'Taste'], hasOpenChoice: true },
                { type: 'open', optional: true },
              ],
              appearance: { backgroundColor: '#fff' },
              conditions: { url: 'https://cafe.test/orders', urlMatchType: 'icontains' },
            },
          ],
        },
      },
    ],
  },
  ...['surveys', 'early_access_features'].flatMap((list) =>
    [`/api/${list}`, `/api/${list}/`].map((path) => ({
      rule: `7 ${path} of a project that has none`,
      calls: [
        {
          request: `GET ${path}?token=~T`,
          json: list === 'surveys' ? { surveys: [] } : { earlyAccessFeatures: [] },
        },
      ],
      settings: otherSettings,
    })),
  ),
]
