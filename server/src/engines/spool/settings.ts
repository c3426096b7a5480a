import { integer, type Values } from '../../ground/settings/setting.ts'

const MiB = 1024 * 1024

/** What of the spools can be set. */
export const spoolSettings = {
  segmentBytes: integer({
    default: 32 * MiB,
    min: 4096,
    max: 1024 * MiB,
    about: 'Size at which a spool file is closed and the next begun, in bytes.',
  }),
  backlogBytes: integer({
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
} as const

export type SpoolSettings = Values<typeof spoolSettings>
