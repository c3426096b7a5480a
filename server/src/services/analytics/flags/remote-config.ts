import type { RecordingSettings } from '../recording/settings.ts'
import type { AnalyticsSettings } from '../settings.ts'

/**
 * What browsers are told to do. With it an unchanged posthog-js compresses its bodies, captures clicks, exceptions and
 * web vitals, and records sessions with console lines and answer headers; it asks for flags and surveys where
 * the project has any.
 *
 * @param defined what operators have defined; `suppressionRules` are exceptions that browsers are not to send, `recording` is
 *   what they record
 * @see the `onRemoteConfig` methods of posthog-js, which read each of these fields
 */
export function renderRemoteConfig(
  token: string,
  settings: AnalyticsSettings,
  {
    hasFeatureFlags,
    hasSurveys,
    suppressionRules,
    recording,
  }: {
    readonly hasFeatureFlags: boolean
    readonly hasSurveys: boolean
    readonly suppressionRules: readonly object[]
    readonly recording: RecordingSettings
  },
): object {
  return {
    token,
    // Without gzip-js the client sends plain JSON, and each request costs a preflight.
    supportedCompression: ['gzip', 'gzip-js'],
    hasFeatureFlags,
    analytics: { endpoint: settings.eventsPath },
    // Must be present: when it is missing, autocapture stays off.
    autocapture_opt_out: !settings.captureClicks,
    autocaptureExceptions: settings.captureExceptions,
    errorTracking: { autocaptureExceptions: settings.captureExceptions, suppressionRules },
    capturePerformance: { network_timing: true, web_vitals: settings.captureWebVitals },
    captureDeadClicks: settings.captureDeadClicks,
    heatmaps: settings.captureHeatmaps,
    elementsChainAsString: true,
    surveys: hasSurveys,
    productTours: false,
    conversations: false,
    logs: { captureConsoleLogs: false },
    sessionRecording: recording.recordSessions ? renderRecording(settings.recordingsPath, recording) : false,
    siteApps: [],
    toolbarParams: {},
    isAuthenticated: false,
    defaultIdentifiedOnly: true,
  }
}

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
