import { flag, integer, type Values } from '../../ground/settings/setting.ts'

const MiB = 1024 * 1024

/** The settings of capture, its spool and its remote configuration. */
export const analyticsSettings = {
  maxBatchBytes: integer({
    default: 20 * MiB,
    min: 1024,
    max: 64 * MiB,
    about: 'Largest body with events, after decompression, in bytes.',
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
  spoolSegmentBytes: integer({
    default: 32 * MiB,
    min: 4096,
    max: 1024 * MiB,
    about: 'Size at which a spool file is closed and the next begun, in bytes.',
  }),
  spoolBacklogBytes: integer({
    default: 2048 * MiB,
    min: 4096,
    max: 1024 * 1024 * MiB,
    about: 'How much may wait to be stored before clients are told to come back later, in bytes.',
  }),
  batchBytes: integer({
    default: 32 * MiB,
    min: 1024,
    max: 1024 * MiB,
    about: 'Size at which a batch is stored at once, in bytes.',
  }),
  batchRows: integer({ default: 10_000, min: 1, max: 1_000_000, about: 'Rows at which a batch is stored at once.' }),
  batchMs: integer({
    default: 500,
    min: 10,
    max: 60_000,
    about: 'Time between the beginnings of two batches, in milliseconds, while events keep coming.',
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

export type AnalyticsSettings = Values<typeof analyticsSettings>
