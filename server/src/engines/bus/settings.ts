import Type from 'typebox'
import { address, type Declared, matching, nullable, setting, type Values } from '../../ground/settings/setting.ts'

const mib = 1024 * 1024

/** The settings of several processes that are one Clew. */
export const clusterSettings = {
  bus: setting(nullable(address(['nats', 'tls'])), {
    default: null,
    secret: true,
    description:
      'The NATS server that joins this process with others on the same database, nats://user:password@host:4222, or ' +
      'tls://…; database_url and clickhouse_url are needed as well.',
  }),
  name: setting(
    matching({ allowed: 'letters, digits, - and _, 64 at most', fits: (text) => /^[\w-]{1,64}$/.test(text) }),
    {
      default: 'clew',
      description: 'What stands before the subjects on the NATS server, by which several Clews can share one.',
    },
  ),
  bufferedBytes: setting(Type.Integer({ minimum: mib, maximum: 1024 * mib }), {
    limit: true,
    default: 32 * mib,
    description: 'What may be under way to the bus, in bytes; messages beyond it are dropped and counted.',
  }),
  nodeSeconds: setting(Type.Integer({ minimum: 1, maximum: 3600 }), {
    default: 5,
    description:
      'After so long without a word of a process, its members leave presence, and nothing waits for it; what it missed ' +
      'meanwhile makes it close its sockets, whose clients join again.',
  }),
} as const satisfies Declared

/** The values of `clusterSettings`. */
export type ClusterSettings = Values<typeof clusterSettings>
