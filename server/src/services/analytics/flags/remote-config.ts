import type { AnalyticsSettings } from '../settings.ts'

/**
 * What browsers are told to do. With it an unchanged posthog-js compresses its bodies, captures clicks, exceptions and
 * web vitals, and records sessions with console lines and answer headers; it asks for no surveys, and for flags where the
 * project has any.
 *
 * @see the `onRemoteConfig` methods of posthog-js, which read each of these fields
 */
export function renderRemoteConfig(token: string, settings: AnalyticsSettings, hasFeatureFlags: boolean): object {
  return {
    token,
    // Without gzip-js the client sends plain JSON, and each request costs a preflight.
    supportedCompression: ['gzip', 'gzip-js'],
    hasFeatureFlags,
    // Must be present: when it is missing, autocapture stays off.
    autocapture_opt_out: false,
    autocaptureExceptions: settings.captureExceptions,
    errorTracking: { autocaptureExceptions: settings.captureExceptions, suppressionRules: [] },
    capturePerformance: { network_timing: true, web_vitals: settings.captureWebVitals },
    captureDeadClicks: false,
    heatmaps: false,
    elementsChainAsString: true,
    surveys: false,
    productTours: false,
    conversations: false,
    logs: { captureConsoleLogs: false },
    sessionRecording: settings.recordSessions
      ? {
          endpoint: '/s/',
          consoleLogRecordingEnabled: settings.recordConsole,
          recorderVersion: 'v2',
          sampleRate: null,
          minimumDurationMilliseconds: null,
          linkedFlag: null,
          // Answer headers hold our request id, so that a recorded network entry names its request.
          networkPayloadCapture: { recordHeaders: true, recordBody: false },
          urlTriggers: [],
          urlBlocklist: [],
          eventTriggers: [],
        }
      : false,
    siteApps: [],
    toolbarParams: {},
    isAuthenticated: false,
    defaultIdentifiedOnly: true,
  }
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
