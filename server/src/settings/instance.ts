import { isIP } from 'node:net'
import Type from 'typebox'
import {
  defaultInternalPools,
  defaultStatementsPerConnection,
  isDatabaseAddress,
} from '../engines/postgres/settings.ts'
import { defaultJsonDepth } from '../ground/http/json-size.ts'
import { defaultServerLimits } from '../ground/http/server-limits.ts'
import { address, type Declared, matching, nullable, setting, text } from '../ground/settings/setting.ts'

/** Whether a text names addresses as the framework reads them: one, a range of them, or a kind of network. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const kind = isIP(address)
  if (kind === 0) return ['loopback', 'linklocal', 'uniquelocal'].includes(text)
  return bits === undefined || (rest.length === 0 && /^\d+$/.test(bits) && Number(bits) <= (kind === 4 ? 32 : 128))
}

const databaseAddress = matching({ allowed: 'an address, postgresql://… or postgres://…', fits: isDatabaseAddress })

const secretText = matching({ allowed: 'a text of 16 characters or more', fits: (text) => text.length >= 16 })

/** Settings of the process itself: ports, paths, engines, mode. */
export const instanceSettings = {
  port: setting(Type.Integer({ minimum: 0, maximum: 65535 }), {
    default: 54321,
    description: 'The port of the application and its API; 0 takes a free one.',
  }),
  host: setting(text, {
    default: '127.0.0.1',
    description: 'The address to listen on; any but a loopback one needs --production.',
  }),
  tls: setting(Type.Boolean(), {
    default: false,
    description:
      'Whether the application’s port speaks HTTPS: with tls_cert and tls_key, with a certificate that [acme] obtains, or in ' +
      'local mode with a self-signed one, tls.crt in the data directory.',
  }),
  tlsCert: setting(nullable(Type.String()), {
    default: null,
    description: 'The file of the certificate and its chain, in PEM; read again when it has changed.',
  }),
  tlsKey: setting(nullable(Type.String()), {
    default: null,
    description: 'The file of the certificate’s private key, in PEM.',
  }),
  dbPort: setting(Type.Integer({ minimum: 0, maximum: 65535 }), {
    default: 54322,
    description: 'Port of the embedded PostgreSQL on 127.0.0.1, for psql; 0 opens none.',
  }),
  consolePort: setting(Type.Integer({ minimum: 0, maximum: 65535 }), {
    default: 54323,
    description:
      'The port of the console and the inbox, apart from the application’s; 0, or a port of 0, takes a free one.',
  }),
  data: setting(text, { default: '.clew', description: 'The data directory, relative to the project folder.' }),
  project: setting(nullable(Type.String()), {
    default: null,
    description: 'A folder with supabase/migrations and supabase/seed.sql to apply.',
  }),
  public: setting(nullable(Type.String()), {
    default: null,
    description: 'A folder with a built application to serve at /.',
  }),
  sample: setting(nullable(Type.String()), {
    default: null,
    description:
      'A recording of visits that a new data directory begins with, shown as yesterday’s; not in production, nor beside ' +
      'engines of one’s own.',
  }),
  name: setting(nullable(Type.String()), {
    default: null,
    description: 'The project’s name in the console; the folder’s name when not given.',
  }),
  jwtSecret: setting(nullable(secretText), {
    default: null,
    secret: true,
    description: 'The secret that the keys anon and service_role are signed with, in place of the directory’s own.',
  }),
  earlierJwtSecrets: setting(Type.Array(secretText), {
    default: [],
    secret: true,
    description: 'What jwt_secret was before: tokens that were signed with it stay good.',
  }),
  publishableKey: setting(nullable(Type.String()), {
    default: null,
    secret: true,
    description: 'The key of browsers, in place of the directory’s own.',
  }),
  secretKey: setting(nullable(secretText), {
    default: null,
    secret: true,
    description: 'The key of servers, in place of the directory’s own.',
  }),
  databaseUrl: setting(nullable(databaseAddress), {
    default: null,
    secret: true,
    description:
      'An existing PostgreSQL (15 or newer) instead of the embedded one; of several hosts the first that takes writes.',
  }),
  databaseDirectUrl: setting(nullable(databaseAddress), {
    default: null,
    secret: true,
    description:
      'The same server without its pooler, where database_url is a pooler’s that hands each transaction another connection: ' +
      'for migrations, row changes and notifications (NOTIFY).',
  }),
  clickhouseUrl: setting(nullable(address(['http', 'https'])), {
    default: null,
    secret: true,
    description: 'An existing ClickHouse instead of the embedded one.',
  }),
  production: setting(Type.Boolean(), {
    default: false,
    description: 'Own keys, keys required, no development secrets.',
  }),
  publicUrl: setting(nullable(address(['https', 'http'])), {
    default: null,
    description: 'The address under which browsers reach this instance.',
  }),
  consoleUrl: setting(nullable(address(['https', 'http'])), {
    default: null,
    description:
      'The address under which browsers reach the console, of another origin than public_url. Without it the console of ' +
      'a production instance listens on a loopback address only.',
  }),
  allowedHosts: setting(Type.Array(Type.String()), {
    default: [],
    description:
      'Further host names by which a local instance may be reached, without ports: of a container, for example. Others ' +
      'are refused: a web page could let its own host name resolve to this machine (DNS rebinding).',
  }),
  metricsToken: setting(nullable(Type.String()), {
    default: null,
    secret: true,
    description: 'The bearer token for /metrics, which is not served without one; `clew metrics` needs none.',
  }),
  secretCheckSeconds: setting(Type.Integer({ minimum: 1, maximum: 3600 }), {
    default: 5,
    description: 'Seconds from one look at the files of secrets (…_FILE) to the next: one that changed is read again.',
  }),
  trustedProxies: setting(
    Type.Array(
      matching({ allowed: 'addresses or networks (10.0.0.0/8), or loopback, linklocal, uniquelocal', fits: isNetwork }),
    ),
    { default: [], description: 'Addresses of proxies whose X-Forwarded-For is trusted.' },
  ),
  clientAddressHeader: setting(
    nullable(matching({ allowed: 'the name of a header', fits: (name) => /^[a-zA-Z0-9-]+$/.test(name) })),
    {
      default: null,
      description:
        'The header in which a trusted proxy names the client’s address (cf-connecting-ip), in place of X-Forwarded-For.',
    },
  ),
  workers: setting(Type.Integer({ minimum: 1, maximum: 64 }), {
    default: 1,
    description:
      'Processes that share the ports, each with pools of its own, so that more processors answer; one that ends is ' +
      'started again, and another does its work meanwhile.',
  }),
  logLevel: setting(Type.Enum(['error', 'warn', 'info', 'debug', 'silent']), {
    default: 'warn',
    description: 'The least severe lines that are logged.',
  }),
  logFormat: setting(nullable(Type.Enum(['json', 'text'])), {
    default: null,
    description: 'How lines are written: json in production, text in local mode, where nothing is said.',
  }),
  logFile: setting(nullable(Type.String()), {
    default: null,
    description:
      'A file that the log is appended to, relative to the project folder; standard error where none is given.',
  }),
  jsonDepth: setting(Type.Integer({ minimum: 64, maximum: 1000 }), {
    limit: true,
    default: defaultJsonDepth,
    description:
      'How deep arrays and objects may nest in the JSON of a request; what nests deeper is refused before it is parsed.',
  }),
  freeDiskMib: setting(Type.Integer({ minimum: 0, maximum: 1_048_576 }), {
    default: 1024,
    description:
      'MiB that should be free on the data directory’s disk: with less, health is degraded; with a sixteenth of it, down.',
  }),
  diskReserveMib: setting(Type.Integer({ minimum: 0, maximum: 1_048_576 }), {
    limit: true,
    default: 256,
    description:
      'MiB of the data directory’s disk that are left to the databases: with less, events, recordings and files are refused ' +
      'and requests not recorded, until a tenth more is free.',
  }),
  poolSize: setting(Type.Integer({ minimum: 2, maximum: 500 }), {
    limit: true,
    default: 10,
    description: 'Connections to PostgreSQL for the application’s calls.',
  }),
  internalPoolSize: setting(Type.Integer({ minimum: 2, maximum: 500 }), {
    limit: true,
    default: defaultInternalPools.adminPoolSize,
    description: 'Connections to PostgreSQL for Clew’s own tables.',
  }),
  authPoolSize: setting(Type.Integer({ minimum: 2, maximum: 500 }), {
    limit: true,
    default: defaultInternalPools.authPoolSize,
    description: 'Connections to PostgreSQL for sign-ins, tokens and users.',
  }),
  consolePoolSize: setting(Type.Integer({ minimum: 1, maximum: 500 }), {
    limit: true,
    default: defaultInternalPools.readerPoolSize,
    description: 'Connections to PostgreSQL for the tables that the console shows.',
  }),
  consoleQuerySeconds: setting(Type.Integer({ minimum: 1, maximum: 3600 }), {
    limit: true,
    default: defaultInternalPools.readerTimeoutMs / 1000,
    description: 'Seconds after which a query of the console’s table views is ended.',
  }),
  internalPoolTimeoutSeconds: setting(Type.Integer({ minimum: 1, maximum: 600 }), {
    limit: true,
    default: defaultInternalPools.acquireTimeoutMs / 1000,
    description: 'Seconds that a statement of Clew’s own waits for a connection to PostgreSQL.',
  }),
  statementsPerConnection: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: defaultStatementsPerConnection,
    description:
      'Prepared statements that each connection for the application’s calls keeps; PostgreSQL holds a plan of some tens ' +
      'of kilobytes for each.',
  }),
  changeBacklogMib: setting(nullable(Type.Integer({ minimum: 64, maximum: 1_073_741_824 })), {
    limit: true,
    default: null,
    description:
      'Log that the embedded PostgreSQL keeps for row changes not stored yet, in MiB; half of the free disk where not ' +
      'given. Beyond it changes are lost, and histories say so.',
  }),
  headLimitKib: setting(Type.Integer({ minimum: 16, maximum: 1024 }), {
    limit: true,
    default: defaultServerLimits.headKib,
    description: 'Most that the address and the headers of a request may have together, in KiB.',
  }),
  bodyLimitKib: setting(Type.Integer({ minimum: 16, maximum: 1_048_576 }), {
    limit: true,
    default: defaultServerLimits.bodyKib,
    description:
      'Most that the body of a request to the console or the inbox may have, in KiB; the other services have limits of ' +
      'their own.',
  }),
  requestTimeoutSeconds: setting(Type.Integer({ minimum: 1, maximum: 86_400 }), {
    limit: true,
    default: defaultServerLimits.requestTimeoutSeconds,
    description:
      'Seconds that a client may take to send a request, or to take an answer that waits for it; then its connection is ' +
      'closed, unless request_bytes_per_second have come: an upload or a download may take as long as it is fast enough.',
  }),
  requestBytesPerSecond: setting(Type.Integer({ minimum: 1, maximum: 1_073_741_824 }), {
    limit: true,
    default: defaultServerLimits.requestBytesPerSecond,
    description:
      'Bytes a second that a client must send, or take, on average where that takes longer than request_timeout_seconds.',
  }),
  closeGraceSeconds: setting(Type.Integer({ minimum: 0, maximum: 600 }), {
    limit: true,
    default: defaultServerLimits.closeGraceSeconds,
    description: 'Seconds that requests in flight have to end when the process stops.',
  }),
  tokenCacheEntries: setting(Type.Integer({ minimum: 1, maximum: 10_000_000 }), {
    limit: true,
    default: 10_000,
    description: 'How many tokens with a good signature are remembered, so that their next request is checked faster.',
  }),
  clickhouseMemoryMib: setting(Type.Integer({ minimum: 256, maximum: 1_048_576 }), {
    limit: true,
    default: 1024,
    description: 'Memory the embedded ClickHouse may use for queries, in MiB.',
  }),
  clickhouseQuerySeconds: setting(Type.Integer({ minimum: 1, maximum: 3600 }), {
    limit: true,
    default: 60,
    description: 'Seconds after which the embedded ClickHouse ends a query.',
  }),
} satisfies Declared
