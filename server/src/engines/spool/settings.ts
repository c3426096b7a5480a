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
  requestBacklogBytes: integer({
    default: 512 * MiB,
    min: 4096,
    max: 1024 * 1024 * MiB,
    about: 'How many bytes of finished requests may wait to be stored before further ones are not recorded.',
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
  stuckSeconds: integer({
    default: 60,
    min: 1,
    max: 86_400,
    about: 'Seconds without anything being stored, while something waits, after which health says so with a 503.',
  }),
  refusedBytes: integer({
    default: 64 * MiB,
    min: MiB,
    max: 1024 * 1024 * MiB,
    about:
      'How much is kept of rows that an engine refused for what they are, and as much again of damaged bytes of each ' +
      'spool, in bytes; of rows the latest.',
  }),
} as const

/** The values of `spoolSettings`. */
export type SpoolSettings = Values<typeof spoolSettings>
