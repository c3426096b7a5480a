import { expect, test } from 'vitest'
import { readSettings } from '../../../ground/settings/read.ts'
import { analyticsSettings } from '../settings.ts'
import { renderRemoteConfig } from './remote-config.ts'

const { values: defaults } = readSettings(analyticsSettings, [])
const nothing = { hasFeatureFlags: false, hasSurveys: false, suppressionRules: [] }
const configOf = (changes: Partial<typeof defaults>) =>
  renderRemoteConfig('phc_t', defaults, { ...nothing, capture: { ...defaults, ...changes } })

test.each([
  ['nothing is recorded', { recordSessions: false }, { sessionRecording: false }],
  ['clicks are not captured', { captureClicks: false }, { autocapture_opt_out: true }],
  [
    'dead clicks and heat maps',
    { captureDeadClicks: true, captureHeatmaps: true },
    { captureDeadClicks: true, heatmaps: true },
  ],
  [
    'no exceptions',
    { captureExceptions: false },
    { autocaptureExceptions: false, errorTracking: { autocaptureExceptions: false } },
  ],
  [
    'some of the web vitals',
    { captureWebVitalsMetrics: ['LCP', 'CLS'] },
    { capturePerformance: { network_timing: true, web_vitals: true, web_vitals_allowed_metrics: ['LCP', 'CLS'] } },
  ],
  ['no web vitals', { captureWebVitals: false }, { capturePerformance: { web_vitals: false } }],
  ['none of the web vitals', { captureWebVitalsMetrics: [] }, { capturePerformance: { web_vitals: false } }],
  ['no network timing', { recordNetworkTiming: false }, { capturePerformance: { network_timing: false } }],
  ['one session in four', { recordSampleRate: 0.25 }, { sessionRecording: { sampleRate: '0.25' } }],
  ['none is sampled', { recordSampleRate: 0 }, { sessionRecording: { sampleRate: '0' } }],
  ['sessions of five seconds', { recordMinimumMs: 5000 }, { sessionRecording: { minimumDurationMilliseconds: 5000 } }],
  [
    'pages that begin and pause a recording',
    { recordUrlTriggers: ['/checkout'], recordUrlBlocklist: ['^https://x/admin'], recordTriggerMatch: 'any' },
    {
      sessionRecording: {
        urlTriggers: [{ url: '/checkout', matching: 'regex' }],
        urlBlocklist: [{ url: '^https://x/admin', matching: 'regex' }],
        triggerMatchType: 'any',
      },
    },
  ],
  [
    'an event and a flag that begin it',
    { recordEventTriggers: ['ordered'], recordLinkedFlag: 'beta' },
    { sessionRecording: { eventTriggers: ['ordered'], linkedFlag: 'beta' } },
  ],
  [
    'bodies, but no headers',
    { recordNetworkHeaders: false, recordNetworkBodies: true },
    { sessionRecording: { networkPayloadCapture: { recordHeaders: false, recordBody: true } } },
  ],
  [
    'masked and blocked elements',
    { recordMaskInputs: false, recordMaskTextSelector: '.name', recordBlockSelector: '#card' },
    { sessionRecording: { masking: { maskAllInputs: false, maskTextSelector: '.name', blockSelector: '#card' } } },
  ],
  ['pictures of a canvas', { recordCanvas: true }, { sessionRecording: { recordCanvas: true, canvasFps: 3 } }],
] as const)('%s', (_, changes, expected) => {
  expect(configOf(changes)).toMatchObject(expected)
})

test('what the client does anyway is left out', () => {
  const { sessionRecording } = configOf({}) as { readonly sessionRecording: object }
  expect(sessionRecording).toMatchObject({ sampleRate: null, minimumDurationMilliseconds: null, linkedFlag: null })
  expect(Object.keys(sessionRecording)).not.toContain('masking')
  expect(Object.keys(sessionRecording)).not.toContain('recordCanvas')
})
