import type { RecordingSettings } from '../capture-settings/recording-settings.ts'
import type { CaptureSettings } from '../capture-settings/settings.ts'
import type { AnalyticsSettings } from '../settings.ts'

/**
 * What browsers are told to do. With it an unchanged posthog-js compresses its bodies, captures clicks, exceptions and
 * web vitals, and records sessions with console lines and answer headers; it asks for flags and surveys where
 * the project has any.
 *
 * @param defined what operators have defined; `suppressionRules` are exceptions that browsers are not to send, `capture` is
 *   what they send by themselves
 * @see the `onRemoteConfig` methods of posthog-js, which read each of these fields
 */
export function renderRemoteConfig(
  token: string,
  settings: Pick<AnalyticsSettings, 'eventsPath' | 'recordingsPath'>,
  {
    hasFeatureFlags,
    hasSurveys,
    suppressionRules,
    capture,
  }: {
    readonly hasFeatureFlags: boolean
    readonly hasSurveys: boolean
    readonly suppressionRules: readonly object[]
    readonly capture: CaptureSettings
  },
): object {
  return {
    token,
    // Without gzip-js the client sends plain JSON, and each request costs a preflight.
    supportedCompression: ['gzip', 'gzip-js'],
    hasFeatureFlags,
    analytics: { endpoint: settings.eventsPath },
    // Must be present: when it is missing, autocapture stays off.
    autocapture_opt_out: !capture.captureClicks,
    autocaptureExceptions: capture.captureExceptions,
    errorTracking: { autocaptureExceptions: capture.captureExceptions, suppressionRules },
    capturePerformance: renderPerformance(capture),
    captureDeadClicks: capture.captureDeadClicks,
    heatmaps: capture.captureHeatmaps,
    elementsChainAsString: true,
    surveys: hasSurveys,
    productTours: false,
    conversations: false,
    logs: { captureConsoleLogs: false },
    sessionRecording: capture.recordSessions ? renderRecording(settings.recordingsPath, capture) : false,
    siteApps: [],
    toolbarParams: {},
    isAuthenticated: false,
    defaultIdentifiedOnly: true,
  }
}

/** Measured where there is something to measure: the client loads its script for an empty list too. */
const renderPerformance = ({
  recordNetworkTiming,
  captureWebVitals,
  captureWebVitalsMetrics,
}: CaptureSettings): object => ({
  network_timing: recordNetworkTiming,
  web_vitals: captureWebVitals && captureWebVitalsMetrics.length > 0,
  web_vitals_allowed_metrics: captureWebVitalsMetrics,
})

/** Which sessions are recorded, and what of them. */
function renderRecording(endpoint: string, settings: RecordingSettings): object {
  const addresses = (patterns: readonly string[]) => patterns.map((url) => ({ url, matching: 'regex' }))
  return {
    endpoint,
    consoleLogRecordingEnabled: settings.recordConsole,
    recorderVersion: 'v2',
    // The client reads it from text; none leaves out the decision, and its marker in each session.
    sampleRate: settings.recordSampleRate === 1 ? null : String(settings.recordSampleRate),
    minimumDurationMilliseconds: settings.recordMinimumMs === 0 ? null : settings.recordMinimumMs,
    linkedFlag: settings.recordLinkedFlag || null,
    networkPayloadCapture: {
      recordHeaders: settings.recordNetworkHeaders,
      recordBody: settings.recordNetworkBodies,
    },
    urlTriggers: addresses(settings.recordUrlTriggers),
    urlBlocklist: addresses(settings.recordUrlBlocklist),
    eventTriggers: settings.recordEventTriggers,
    triggerMatchType: settings.recordTriggerMatch,
    ...renderMasking(settings),
    ...(settings.recordCanvas ? { recordCanvas: true, canvasFps: settings.recordCanvasFps, canvasQuality: '0.4' } : {}),
  }
}

/** The client warns where an application's own options differ from these: what it does anyway is left out. */
function renderMasking(settings: RecordingSettings): object {
  const { recordMaskInputs, recordMaskTextSelector, recordBlockSelector } = settings
  const masking = {
    ...(recordMaskInputs ? {} : { maskAllInputs: false }),
    ...(recordMaskTextSelector === '' ? {} : { maskTextSelector: recordMaskTextSelector }),
    ...(recordBlockSelector === '' ? {} : { blockSelector: recordBlockSelector }),
  }
  return Object.keys(masking).length === 0 ? {} : { masking }
}

/** The remote configuration as a plain script that runs before the library asks for it. */
export function renderRemoteConfigScript(token: string, config: object): string {
  const entry = JSON.stringify({ config, siteApps: [] })
  return [
    'window._POSTHOG_REMOTE_CONFIG = window._POSTHOG_REMOTE_CONFIG || {};',
    `window._POSTHOG_REMOTE_CONFIG[${JSON.stringify(token)}] = ${entry};`,
    '',
  ].join('\n')
}
