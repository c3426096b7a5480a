import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { basename, join, resolve } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { mailSettings } from './engines/mail/index.ts'
import { isDatabaseAddress } from './engines/postgres/index.ts'
import { spoolSettings } from './engines/spool/index.ts'
import { defaultJsonDepth } from './ground/http/json-size.ts'
import {
  type Declared,
  flag,
  integer,
  list,
  optionalAddress,
  optionalInteger,
  optionalText,
  optionalTextOf,
  readSettings,
  type SettingProblem,
  type SettingSource,
  text,
  type Values,
} from './ground/settings/setting.ts'
import { analyticsSettings } from './services/analytics/index.ts'
import { authSettings } from './services/auth/index.ts'
import { operatorsSettings } from './services/operators/index.ts'
import { replaySettings } from './services/replay/index.ts'
import { referenceNames, referenceVariables, restSettings } from './services/rest/index.ts'
import { threadSettings } from './services/thread/index.ts'

/** Whether a text names addresses as the framework reads them: one, a range of them, or a kind of network. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const kind = isIP(address)
  if (kind === 0) return ['loopback', 'linklocal', 'uniquelocal'].includes(text)
  return bits === undefined || (rest.length === 0 && /^\d+$/.test(bits) && Number(bits) <= (kind === 4 ? 32 : 128))
}

/** Settings of the process itself: ports, places, engines, mode. */
export const instanceSettings = {
  port: integer({
    default: 54321,
    min: 0,
    max: 65535,
    about: 'The port of the application and its API; 0 takes a free one.',
  }),
  host: text({ default: '127.0.0.1', about: 'The address to listen on; any but a loopback one needs --production.' }),
  dbPort: integer({
    default: 54322,
    min: 0,
    max: 65535,
    about: 'Port of the embedded PostgreSQL on 127.0.0.1, for psql; 0 opens none.',
  }),
  consolePort: integer({
    default: 54323,
    min: 0,
    max: 65535,
    about: 'The port of the console and the inbox, apart from the application’s; 0, or a port of 0, takes a free one.',
  }),
  data: text({ default: '.clew', about: 'The data directory, relative to the project folder.' }),
  project: optionalText({ default: null, about: 'A folder with supabase/migrations and supabase/seed.sql to apply.' }),
  public: optionalText({ default: null, about: 'A folder with a built application to serve at /.' }),
  sample: optionalText({
    default: null,
    about:
      'A recording of visits that a new data directory begins with, shown as yesterday’s; not in production, nor beside ' +
      'engines of one’s own.',
  }),
  name: optionalText({ default: null, about: 'The project’s name in the console; the folder’s name when not given.' }),
  databaseUrl: optionalTextOf({
    of: { allowed: 'an address, postgresql://… or postgres://…, or nothing', fits: isDatabaseAddress },
    default: null,
    secret: true,
    about:
      'An existing PostgreSQL (15 or newer) instead of the embedded one; of several hosts the first that takes writes.',
  }),
  databaseDirectUrl: optionalTextOf({
    of: { allowed: 'an address, postgresql://… or postgres://…, or nothing', fits: isDatabaseAddress },
    default: null,
    secret: true,
    about:
      'The same server without its pooler, where database_url is a pooler’s that hands each transaction another connection: ' +
      'for migrations, row changes and what is told by NOTIFY.',
  }),
  clickhouseUrl: optionalAddress({
    schemes: ['http', 'https'],
    default: null,
    secret: true,
    about: 'An existing ClickHouse instead of the embedded one.',
  }),
  production: flag({ default: false, about: 'Own keys, keys required, no development secrets.' }),
  publicUrl: optionalAddress({
    schemes: ['https', 'http'],
    default: null,
    about: 'The address under which browsers reach this instance.',
  }),
  consoleUrl: optionalAddress({
    schemes: ['https', 'http'],
    default: null,
    about:
      'The address under which browsers reach the console, of another origin than public_url. Without it the console of ' +
      'a production instance listens on a loopback address only.',
  }),
  allowedHosts: list({
    default: [],
    about:
      'Further host names by which a local instance may be reached, without ports: of a container, for example. Others ' +
      'are refused, as any web page could make a name of its own mean this machine.',
  }),
  metricsToken: optionalText({
    default: null,
    secret: true,
    about: 'The bearer token for /metrics, which is not served without one; `clew metrics` needs none.',
  }),
  trustedProxies: list({
    of: { allowed: 'addresses or networks (10.0.0.0/8), or loopback, linklocal, uniquelocal', fits: isNetwork },
    default: [],
    about: 'Addresses of proxies whose X-Forwarded-For is believed.',
  }),
  clientAddressHeader: optionalTextOf({
    default: null,
    of: { allowed: 'the name of a header', fits: (name) => /^[a-zA-Z0-9-]+$/.test(name) },
    about:
      'The header in which a trusted proxy names the client’s address (cf-connecting-ip), in place of X-Forwarded-For.',
  }),
  jsonDepth: integer({
    default: defaultJsonDepth,
    min: 64,
    max: 1000,
    about:
      'How deep arrays and objects may nest in the JSON of a request; what nests deeper is refused before it is parsed.',
  }),
  freeDiskMib: integer({
    default: 1024,
    min: 0,
    max: 1_048_576,
    about:
      'MiB that should be free on the data directory’s disk: with less, health is degraded; with a sixteenth of it, down.',
  }),
  poolSize: integer({
    default: 10,
    min: 2,
    max: 500,
    about: 'Connections to PostgreSQL for the application’s calls.',
  }),
  changeBacklogMib: optionalInteger({
    default: null,
    min: 64,
    max: 1_073_741_824,
    about:
      'Log that the embedded PostgreSQL keeps for row changes not stored yet, in MiB; half of the free disk where not ' +
      'given. Beyond it changes are lost, and histories say so.',
  }),
  headLimitKib: integer({
    default: 64,
    min: 16,
    max: 1024,
    about: 'Most that the address and the headers of a request may have together, in KiB.',
  }),
  clickhouseMemoryMib: integer({
    default: 1024,
    min: 256,
    max: 1_048_576,
    about: 'Memory the embedded ClickHouse may use for queries, in MiB.',
  }),
} satisfies Declared

/** The rooms' settings, each under its name in `clew.toml`. */
export const roomSettings = {
  rest: restSettings,
  mail: mailSettings,
  spool: spoolSettings,
  auth: authSettings,
  analytics: analyticsSettings,
  replay: replaySettings,
  thread: threadSettings,
  operators: operatorsSettings,
} satisfies Record<string, Declared>

export type InstanceSettings = Values<typeof instanceSettings>
export type Settings = { readonly instance: InstanceSettings } & {
  readonly [Room in keyof typeof roomSettings]: Values<(typeof roomSettings)[Room]>
}

export interface SettingsInput {
  /** Command-line options by their setting's name; undefined where not given. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workingDirectory: string
}

export interface ReadSettings {
  readonly settings: Settings
  readonly problems: readonly SettingProblem[]
}

/**
 * Reads every room's settings: flags, then `CLEW_*`, for REST then `PGRST_*`, then `clew.toml` in the project folder (or the working directory),
 * then the defaults. Nothing is thrown; every problem is returned with its name, the value seen and what is allowed.
 */
export function readAllSettings({ flags, environment, workingDirectory }: SettingsInput): ReadSettings {
  const projectFlag = flags.project ?? environment.CLEW_PROJECT
  const folder = typeof projectFlag === 'string' ? resolve(workingDirectory, projectFlag) : workingDirectory
  const { table, problems } = readFile(join(folder, 'clew.toml'))
  // Where somebody typed them, not beside clew.toml.
  const typed = (name: PlacedName): boolean =>
    flags[name] !== undefined || environment[environmentName(null, name)] !== undefined
  const sources = (room: string | null, declared: Declared): readonly SettingSource[] => [
    ...(room === null ? [{ name: (name: string) => `--${tomlName(name).replaceAll('_', '-')}`, values: flags }] : []),
    environmentSource(room, declared, environment),
    ...(room === 'rest' ? [postgrestSource(environment)] : []),
    tomlSource(room, declared, room === null ? table : table[room]),
  ]
  const instance = readSettings(instanceSettings, sources(null, instanceSettings))
  const read = Object.entries(roomSettings).map(
    ([room, declared]) => [room, readSettings(declared as Declared, sources(room, declared))] as const,
  )
  const settings: unknown = {
    instance: placed(instance.values, folder, (name) => (typed(name) ? workingDirectory : folder)),
    ...Object.fromEntries(read.map(([room, { values }]) => [room, placedRoom(values, folder)])),
  }
  // Each room's values were read by its own declarations just above.
  const whole = settings as Settings
  return {
    settings: whole,
    problems: [
      ...problems,
      ...missingFolder(projectFlag, folder),
      ...unknownNames(table),
      ...instance.problems,
      ...read.flatMap(([, room]) => room.problems),
      ...conflicts(instance.values),
      ...senderMissing(whole.mail),
    ],
  }
}

/** A setting's name as `clew.toml` has it. */
export const tomlName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A setting's environment variable. */
export const environmentName = (room: string | null, name: string): string =>
  ['CLEW', ...(room === null ? [] : [room]), tomlName(name)].join('_').toUpperCase()

function environmentSource(
  room: string | null,
  declared: Declared,
  environment: SettingsInput['environment'],
): SettingSource {
  const name = (setting: string): string => environmentName(room, setting)
  return {
    name,
    values: Object.fromEntries(Object.keys(declared).map((setting) => [setting, environment[name(setting)]])),
  }
}

/** The names that the REST service's settings have in PostgREST, whose deployments bring them along. */
const postgrestSource = (environment: SettingsInput['environment']): SettingSource => ({
  name: (setting) => `PGRST_${(referenceNames(setting)[0] ?? setting).toUpperCase()}`,
  values: referenceVariables(environment),
})

/** The names of a setting in `clew.toml`, its own first. */
const tomlNames = (room: string | null, setting: string): readonly string[] => [
  tomlName(setting),
  ...(room === 'rest' ? referenceNames(setting) : []),
]

function tomlSource(room: string | null, declared: Declared, table: unknown): SettingSource {
  const values = isTable(table)
    ? flatten(table, new Set(Object.keys(declared).flatMap((setting) => tomlNames(room, setting))))
    : {}
  return {
    name: (setting) => `clew.toml: ${room === null ? '' : `[${room}] `}${tomlName(setting)}`,
    values: Object.fromEntries(
      Object.keys(declared).map((setting) => {
        const given = tomlNames(room, setting).find((name) => values[name] !== undefined)
        return [setting, given === undefined ? undefined : values[given]]
      }),
    ),
  }
}

/** A room's tables in one: `subject` of `[auth.email.template.invite]` is `email_template_invite_subject` of `[auth]`. */
function flatten(
  table: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  prefix = '',
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([key, value]) => {
      const name = `${prefix}${key}`
      return isTable(value) && !known.has(name) ? Object.entries(flatten(value, known, `${name}_`)) : [[name, value]]
    }),
  )
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readFile(path: string): { readonly table: Record<string, unknown>; readonly problems: SettingProblem[] } {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    if (code === 'ENOENT' || code === 'ENOTDIR') return { table: {}, problems: [] }
    return { table: {}, problems: [{ name: path, seen: String(code), source: path, allowed: 'a file one can read' }] }
  }
  try {
    return { table: parseToml(content), problems: [] }
  } catch (error) {
    const seen = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    return { table: {}, problems: [{ name: path, seen, source: path, allowed: 'a TOML file' }] }
  }
}

/** A folder that is not there is a slip of the fingers: an empty instance in a new one would hide it. */
function missingFolder(given: unknown, folder: string): readonly SettingProblem[] {
  if (typeof given !== 'string' || statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return []
  return [{ name: '--project', seen: folder, source: '--project', allowed: 'a folder that is there' }]
}

function unknownNames(table: Record<string, unknown>): SettingProblem[] {
  const problem = (name: string, allowed: readonly string[]): SettingProblem => ({
    name: `clew.toml: ${name}`,
    seen: name,
    source: 'clew.toml',
    allowed: `one of ${allowed.join(', ')}`,
  })
  // `project` is how the file is found.
  const own = Object.keys(instanceSettings)
    .filter((name) => name !== 'project')
    .map(tomlName)
  const top = [...own, ...Object.keys(roomSettings)]
  return Object.entries(table).flatMap(([name, value]) => {
    const room = Object.entries(roomSettings).find(([candidate]) => candidate === name)
    if (room === undefined) return top.includes(name) ? [] : [problem(name, top)]
    if (!isTable(value)) return [problem(name, ['a table'])]
    const known = Object.keys(room[1])
    const names = known.flatMap((setting) => tomlNames(name, setting))
    return Object.keys(flatten(value, new Set(names)))
      .filter((setting) => !names.includes(setting))
      .map((setting) => problem(`[${name}] ${setting}`, known.map(tomlName)))
  })
}

const loopback = new Set(['127.0.0.1', '::1', 'localhost'])

/** Whether an address can only be reached from this machine. */
export const isLoopback = (host: string): boolean => loopback.has(host) || /^127\.\d+\.\d+\.\d+$/.test(host)

function conflicts(settings: InstanceSettings): SettingProblem[] {
  const { host, production, port, consolePort, publicUrl, consoleUrl } = settings
  const problems: SettingProblem[] = []
  if (!production && !isLoopback(host)) {
    const allowed = 'a loopback address in local mode, whose keys everybody knows; give --production for any other'
    problems.push({ name: 'host', seen: host, source: '--host', allowed })
  }
  if (consolePort !== 0 && consolePort === port) {
    const allowed = 'another port than the application’s'
    problems.push({ name: 'console_port', seen: String(consolePort), source: '--console-port', allowed })
  }
  if (publicUrl !== null && consoleUrl !== null && new URL(publicUrl).origin === new URL(consoleUrl).origin) {
    const allowed = 'another origin than public_url, whose pages could read the console otherwise'
    problems.push({ name: 'console_url', seen: consoleUrl, source: '--console-url', allowed })
  }
  return problems
}

/** A mail server takes no mail from nobody. */
function senderMissing({ smtpUrl, smtpHost, adminEmail }: Settings['mail']): SettingProblem[] {
  if ((smtpUrl === null && smtpHost === null) || adminEmail !== null) return []
  const name = environmentName('mail', 'adminEmail')
  return [{ name, seen: 'nothing', source: name, allowed: 'the address mails come from, where a mail server is named' }]
}

/** A room's paths are relative to the project folder, like those of clew.toml. */
function placedRoom(values: Readonly<Record<string, unknown>>, folder: string): Readonly<Record<string, unknown>> {
  const { signingKeysPath } = values
  return typeof signingKeysPath === 'string' ? { ...values, signingKeysPath: resolve(folder, signingKeysPath) } : values
}

/** Settings that name a place; a file's or a folder's. */
type PlacedName = 'data' | 'public' | 'sample'

/**
 * Resolves relative paths: those of the command line and the environment from where the command was typed, those of
 * clew.toml from beside it.
 */
function placed(values: InstanceSettings, folder: string, placeOf: (name: PlacedName) => string): InstanceSettings {
  return {
    ...values,
    project: values.project === null ? null : folder,
    data: resolve(placeOf('data'), values.data),
    public: values.public === null ? null : resolve(placeOf('public'), values.public),
    sample: values.sample === null ? null : resolve(placeOf('sample'), values.sample),
    name: values.name ?? basename(folder),
  }
}
