import Type from 'typebox'
import { setting, type Values } from '../../ground/settings/setting.ts'

const MiB = 1024 * 1024

/** What of the spools can be set. */
export const spoolSettings = {
  segmentBytes: setting(Type.Integer({ minimum: 4096, maximum: 1024 * MiB }), {
    default: 32 * MiB,
    description: 'Size at which a spool file is closed and the next begun, in bytes.',
  }),
  backlogBytes: setting(Type.Integer({ minimum: 4096, maximum: 1024 * 1024 * MiB }), {
    limit: true,
    default: 2048 * MiB,
    description: 'How much may wait to be stored before clients are told to come back later, in bytes.',
  }),
  requestBacklogBytes: setting(Type.Integer({ minimum: 4096, maximum: 1024 * 1024 * MiB }), {
    limit: true,
    default: 512 * MiB,
    description: 'How many bytes of finished requests may wait to be stored before further ones are not recorded.',
  }),
  batchBytes: setting(Type.Integer({ minimum: 1024, maximum: 1024 * MiB }), {
    default: 32 * MiB,
    description: 'Size at which a batch is stored at once, in bytes.',
  }),
  batchRows: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    default: 10_000,
    description: 'Rows at which a batch is stored at once.',
  }),
  maxBatchRows: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    default: 40_000,
    description:
      'Most rows of a batch: what has come while the one before was stored goes together, as one insert costs ClickHouse less than many. Never fewer than `batch_rows`.',
  }),
  batchMs: setting(Type.Integer({ minimum: 10, maximum: 60_000 }), {
    default: 500,
    description: 'Time between the beginnings of two batches, in milliseconds, while events keep coming.',
  }),
  burstLagMs: setting(Type.Integer({ minimum: 0, maximum: 600_000 }), {
    default: 5_000,
    description:
      'How long rows may wait, in milliseconds, while so many come that storing them would take more than a quarter of the time: between two batches the processors are left to requests. 0: they are stored as fast as they can be.',
  }),
  stuckSeconds: setting(Type.Integer({ minimum: 1, maximum: 86_400 }), {
    default: 60,
    description: 'Seconds without anything being stored, while something waits, after which health says so with a 503.',
  }),
  refusedBytes: setting(Type.Integer({ minimum: MiB, maximum: 1024 * 1024 * MiB }), {
    limit: true,
    default: 64 * MiB,
    description:
      'How much is kept of rows that an engine refused for what they are, and as much again of damaged bytes of each ' +
      'spool, in bytes; of rows the latest.',
  }),
} as const

/** The values of `spoolSettings`. */
export type SpoolSettings = Values<typeof spoolSettings>
