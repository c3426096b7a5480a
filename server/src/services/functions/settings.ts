import Type from 'typebox'
import { isHostEntry } from '../../engines/outbound/index.ts'
import { type Declared, matching, setting, texts, type Values } from '../../ground/settings/setting.ts'

const address = matching({
  allowed: 'an IPv4 address or network (10.0.0.0/8), or an IPv6 address',
  fits: (text) => isHostEntry(text) && /^[\d.:a-f/]+$/i.test(text),
})

/** The queue whose messages call a function. Its dead letters are in the queue `<name>_dead`: names have 47 bytes at most. */
const functionQueue = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,42}$' }),
    attempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    backoff_ms: Type.Optional(Type.Integer({ minimum: 10, maximum: 3_600_000 })),
    concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    timeout_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 3600 })),
  },
  { additionalProperties: false },
)

/** What a project says of one of its functions (project-folder §4); a path is relative to the folder `supabase`. */
const functionOptions = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    verify_jwt: Type.Optional(Type.Boolean()),
    entrypoint: Type.Optional(Type.String()),
    import_map: Type.Optional(Type.String()),
    static_files: Type.Optional(Type.Array(Type.String())),
    queue: Type.Optional(functionQueue),
  },
  { additionalProperties: true },
)

const mib = 1024 * 1024

/** The settings of functions. */
export const functionsSettings = {
  enabled: setting(Type.Boolean(), { default: true, description: 'Whether /functions/v1 is served.' }),
  each: setting(Type.Record(Type.String(), functionOptions), {
    default: {},
    description: 'Options of single functions by their names, as `[functions.<name>]` of config.toml has them.',
  }),
  secrets: setting(texts, {
    default: {},
    secret: true,
    description: 'Variables that every function finds in its environment, besides those of functions/.env.',
  }),
  allowedHosts: setting(Type.Array(address), {
    default: [],
    description:
      'Private addresses and IPv4 networks that functions may reach. Public hosts need no entry; a local instance’s ' +
      'functions reach its machine as well.',
  }),
  ipv6: setting(Type.Boolean(), {
    default: false,
    description:
      'Whether functions connect over IPv6 in production. Their private networks of IPv6 are then refused by the machine’s ' +
      'firewall, or not at all; over IPv4 private networks are always refused.',
  }),
  inspect: setting(Type.Enum(['off', 'run', 'wait', 'brk']), {
    default: 'off',
    description:
      'Whether a debugger may be attached to functions: at any time (`run`), before they start (`wait`), or before they ' +
      'start, where they halt (`brk`). In local mode only; limits of time, CPU time and memory do not hold then.',
  }),
  inspectorPort: setting(Type.Integer({ minimum: 1, maximum: 65_535 }), {
    default: 8083,
    description:
      'The port on 127.0.0.1 where debuggers find the processes of all functions, the newest first; the next free one where ' +
      'it is taken.',
  }),
  remoteModules: setting(Type.Boolean(), {
    default: true,
    description: 'Whether modules that are not in the cache are downloaded when a function changes.',
  }),
  installSeconds: setting(Type.Integer({ minimum: 1, maximum: 3600 }), {
    limit: true,
    default: 120,
    description: 'How long the download of a function’s modules may take.',
  }),
  bundleMib: setting(Type.Integer({ minimum: 1, maximum: 1024 }), {
    limit: true,
    default: 20,
    description: 'The largest function: its files together.',
  }),
  bundleFiles: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: 2000,
    description: 'The files of a deployment.',
  }),
  keptVersions: setting(Type.Integer({ minimum: 1, maximum: 1000 }), {
    limit: true,
    default: 20,
    description: 'Versions of a function that are kept and can be rolled back to.',
  }),
  deployments: setting(Type.Integer({ minimum: 1, maximum: 64 }), {
    limit: true,
    default: 2,
    description: 'Versions that are made at a time of deployments; 100 more wait.',
  }),
  secretCount: setting(Type.Integer({ minimum: 0, maximum: 10_000 }), {
    limit: true,
    default: 100,
    description: 'Secrets that operators may set.',
  }),
  secretBytes: setting(Type.Integer({ minimum: 1, maximum: 1_048_576 }), {
    limit: true,
    default: 48 * 1024,
    description: 'The longest value of a secret.',
  }),
  policy: setting(Type.Enum(['per_worker', 'oneshot']), {
    default: 'per_worker',
    description:
      'Whether the calls of a function share a process (`per_worker`), or each has one of its own (`oneshot`), which costs a ' +
      'start.',
  }),
  workers: setting(Type.Integer({ minimum: 1, maximum: 1000 }), {
    limit: true,
    default: 20,
    description: 'Processes of functions that run at a time; an idle one makes room for another.',
  }),
  concurrentCalls: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: 200,
    description: 'Calls of one function that run at a time.',
  }),
  queueSeconds: setting(Type.Integer({ minimum: 0, maximum: 600 }), {
    limit: true,
    default: 10,
    description: 'How long a call waits for a process, or for other calls of its function to end.',
  }),
  bootSeconds: setting(Type.Integer({ minimum: 1, maximum: 600 }), {
    limit: true,
    default: 20,
    description: 'How long a function may take from its start until it serves.',
  }),
  headSeconds: setting(Type.Integer({ minimum: 1, maximum: 3600 }), {
    limit: true,
    default: 150,
    description: 'How long a function may take until it begins to answer.',
  }),
  wallSeconds: setting(Type.Integer({ minimum: 1, maximum: 86_400 }), {
    limit: true,
    default: 400,
    description: 'How long a process of a function lives; calls go to a new one after half of it.',
  }),
  cpuMs: setting(Type.Integer({ minimum: 0, maximum: 3_600_000 }), {
    limit: true,
    default: 2000,
    description: 'CPU time of a function’s process while calls are open, by call; 0 sets no limit.',
  }),
  memoryMib: setting(Type.Integer({ minimum: 96, maximum: 65_536 }), {
    limit: true,
    default: 256,
    description: 'Memory of a function’s process.',
  }),
  responseBytes: setting(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), {
    limit: true,
    default: 256 * mib,
    description: 'The largest answer of a function.',
  }),
  idleSeconds: setting(Type.Integer({ minimum: 1, maximum: 86_400 }), {
    default: 60,
    description: 'How long a process without calls is kept.',
  }),
  logLineChars: setting(Type.Integer({ minimum: 100, maximum: 1_000_000 }), {
    limit: true,
    default: 10_000,
    description: 'The longest log line of a function; the rest of a longer one is left out.',
  }),
  logLines: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 100,
    description: 'Log lines of a function’s process in ten seconds; further ones are counted, and left out.',
  }),
} as const satisfies Declared

/** The values of `functionsSettings`. */
export type FunctionsSettings = Values<typeof functionsSettings>
