import Type from 'typebox'
import { type Declared, setting, type Values } from '../../ground/settings/setting.ts'

const kib = 1024
const mib = 1024 * 1024

/** The settings of realtime. */
export const realtimeSettings = {
  enabled: setting(Type.Boolean(), { default: true, description: 'Whether /realtime/v1 is served.' }),
  privateOnly: setting(Type.Boolean(), {
    default: false,
    description: 'Whether channels must be private, so that policies of realtime.messages decide on each.',
  }),
  connections: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 10_000,
    description: 'Sockets at a time.',
  }),
  channelsPerConnection: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: 100,
    description: 'Channels of one socket.',
  }),
  joinBytes: setting(Type.Integer({ minimum: kib, maximum: 5_000_000 }), {
    limit: true,
    default: 64 * kib,
    description: 'The largest frame that joins a channel: its topic, its token, and what row changes it asks for.',
  }),
  changesPerChannel: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: 100,
    description: 'Row changes that one channel may ask for: tables, events and filters.',
  }),
  joinsPerSecond: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 500,
    description: 'Channels that sockets may join in a second, all together.',
  }),
  messagesPerSecond: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 500,
    description: 'Messages that one socket may send in a second, on average over ten of them.',
  }),
  payloadBytes: setting(Type.Integer({ minimum: kib, maximum: 100 * mib }), {
    limit: true,
    default: 3_000_500,
    description: 'The largest payload of a broadcast, or of what is tracked.',
  }),
  frameBytes: setting(Type.Integer({ minimum: kib, maximum: 100 * mib }), {
    limit: true,
    default: 5_000_000,
    description: 'The largest frame; a larger one closes its socket.',
  }),
  bufferedBytes: setting(Type.Integer({ minimum: 64 * kib, maximum: 1024 * mib }), {
    limit: true,
    default: 8 * mib,
    description: 'What may wait for a socket whose client reads slowly; with more it is closed.',
  }),
  buffersBytes: setting(Type.Integer({ minimum: 16 * mib, maximum: 1024 * 1024 * mib }), {
    limit: true,
    default: 1024 * mib,
    description:
      'What all buffers of the process may take: with more, the sockets whose clients read most slowly are closed.',
  }),
  presenceCalls: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 5,
    description: 'How often a channel of a socket may track or untrack in thirty seconds.',
  }),
  presencePerSecond: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 1000,
    description: 'How often clients may track in a second, all together.',
  }),
  presenceKeys: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 1000,
    description: 'What may be tracked in one channel at a time, by all its members.',
  }),
  presenceBytes: setting(Type.Integer({ minimum: kib, maximum: 1024 * mib }), {
    limit: true,
    default: 8 * mib,
    description: 'The size of what the members of one channel may track on one process, all together.',
  }),
  idleSeconds: setting(Type.Integer({ minimum: 5, maximum: 86_400 }), {
    default: 60,
    description: 'How long a socket may be silent; clients send a heartbeat every 25 seconds.',
  }),
  withoutChannelSeconds: setting(Type.Integer({ minimum: 5, maximum: 86_400 }), {
    default: 600,
    description: 'How long a socket may stay without a channel.',
  }),
  tokenCheckSeconds: setting(Type.Integer({ minimum: 1, maximum: 86_400 }), {
    default: 300,
    description: 'How often the token of a channel is verified again; when it expires at the latest.',
  }),
  filterPatternMs: setting(Type.Integer({ minimum: 10, maximum: 60_000 }), {
    limit: true,
    default: 250,
    description:
      'How long patterns of filters (like, match) may take for the rows of a moment; a longer one ends its subscription.',
  }),
  messageDays: setting(Type.Integer({ minimum: 1, maximum: 3650 }), {
    default: 3,
    description: 'For how many days messages that SQL sends are kept.',
  }),
  recordedMessagesPerSecond: setting(Type.Integer({ minimum: 0, maximum: 10_000 }), {
    limit: true,
    default: 10,
    description:
      'Messages of one socket of a recorded session that its timeline keeps in a second, on average over ten of them: name, size and cause, not the payload; 0 keeps none.',
  }),
  batchMessages: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: 1000,
    description: 'Messages of one call of the broadcast API.',
  }),
  consoleEntries: setting(Type.Integer({ minimum: 1, maximum: 10_000 }), {
    limit: true,
    default: 1000,
    description: 'Channels that the console lists at a time, and members of one that it shows; a search finds others.',
  }),
} as const satisfies Declared

/** The values of `realtimeSettings`. */
export type RealtimeSettings = Values<typeof realtimeSettings>
