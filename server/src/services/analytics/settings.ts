import { flag, integer, type Values } from '../../ground/settings/setting.ts'

const MiB = 1024 * 1024

/** The settings of capture and its remote configuration. */
export const analyticsSettings = {
  maxBatchBytes: integer({
    default: 20 * MiB,
    min: 1024,
    max: 64 * MiB,
    about: 'Largest body with events, after decompression, in bytes.',
  }),
  maxBatchEvents: integer({
    default: 20_000,
    min: 1,
    max: 1_000_000,
    about: 'Most events of one request.',
  }),
  maxEventBytes: integer({
    default: MiB,
    min: 1024,
    max: 16 * MiB,
    about: 'Largest single event as JSON, in bytes; larger ones are left out of their batch.',
  }),
  maxRecordingBytes: integer({
    default: 25 * MiB,
    min: 1024,
    max: 64 * MiB,
    about: 'Largest body with recordings, after decompression, in bytes.',
  }),
  retryAfterSeconds: integer({
    default: 5,
    min: 1,
    max: 3600,
    about: 'What `Retry-After` says when the spool is full, in seconds.',
  }),
  recordSessions: flag({ default: true, about: 'Whether browsers are told to record sessions.' }),
  recordConsole: flag({ default: true, about: 'Whether recordings hold the lines of the browser’s console.' }),
  captureExceptions: flag({ default: true, about: 'Whether browsers are told to capture uncaught exceptions.' }),
  captureWebVitals: flag({ default: true, about: 'Whether browsers are told to measure web vitals.' }),
} as const

/** The values of `analyticsSettings`. */
export type AnalyticsSettings = Values<typeof analyticsSettings>
