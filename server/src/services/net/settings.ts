import Type from 'typebox'
import { isHostEntry } from '../../engines/outbound/index.ts'
import { type Declared, matching, nullable, setting, type Values } from '../../ground/settings/setting.ts'

const host = matching({ allowed: 'a host name, an address or a network (10.0.0.0/8)', fits: isHostEntry })
const webhookSecret = matching({
  allowed: 'whsec_ and at least 24 bytes in Base64',
  fits: (text) => /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(text),
})

/** The settings of requests from SQL (`net.http_…`) and of database webhooks. */
export const netSettings = {
  allowedHosts: setting(Type.Array(host), {
    default: [],
    description:
      'Private hosts that requests from SQL and webhooks may reach: names, addresses, networks (10.0.0.0/8). Public hosts ' +
      'and the instance’s own API need no entry; a local instance reaches its machine as well.',
  }),
  concurrency: setting(Type.Integer({ minimum: 1, maximum: 500 }), {
    limit: true,
    default: 20,
    description: 'Requests from SQL in flight at a time, and as many webhooks.',
  }),
  requestsPerSecond: setting(Type.Integer({ minimum: 1, maximum: 10_000 }), {
    limit: true,
    default: 200,
    description: 'Requests from SQL that begin in a second, and as many webhooks.',
  }),
  maxTimeoutSeconds: setting(Type.Integer({ minimum: 1, maximum: 3600 }), {
    limit: true,
    default: 300,
    description: 'The longest time-out that a request from SQL or a webhook can ask for.',
  }),
  maxBodyKib: setting(Type.Integer({ minimum: 1, maximum: 65_536 }), {
    limit: true,
    default: 4096,
    description: 'The largest body that a request from SQL or a webhook can send.',
  }),
  maxResponseKib: setting(Type.Integer({ minimum: 1, maximum: 65_536 }), {
    limit: true,
    default: 2048,
    description: 'The largest response that is kept; a larger one is an error.',
  }),
  responseHours: setting(Type.Integer({ minimum: 1, maximum: 8760 }), {
    default: 6,
    description: 'Hours for which responses stay in net._http_response.',
  }),
  deliveryDays: setting(Type.Integer({ minimum: 1, maximum: 3650 }), {
    default: 7,
    description:
      'Days for which finished deliveries of webhooks, and requests that were sent, stay in schema clew_net, and triggered webhooks in ' +
      'supabase_functions.hooks.',
  }),
  webhookAttempts: setting(Type.Integer({ minimum: 1, maximum: 20 }), {
    default: 6,
    description: 'Attempts to deliver a webhook that is answered by 5xx, 408 or 429, or not at all.',
  }),
  webhookBackoffMs: setting(Type.Integer({ minimum: 10, maximum: 3_600_000 }), {
    default: 5000,
    description: 'Time before the second attempt; each further one waits four times as long, six hours at most.',
  }),
  webhookSecret: setting(nullable(webhookSecret), {
    default: null,
    secret: true,
    description:
      'The secret that webhooks are signed with (Standard Webhooks), in place of the data directory’s own, which `clew keys` ' +
      'prints.',
  }),
  webhookSecretOverlapHours: setting(Type.Integer({ minimum: 0, maximum: 720 }), {
    default: 24,
    description:
      'Hours for which webhooks are signed with the secret of before as well, once webhook_secret has changed while the ' +
      'process runs: receivers take the new one meanwhile.',
  }),
} as const satisfies Declared

/** The values of `netSettings`. */
export type NetSettings = Values<typeof netSettings>
