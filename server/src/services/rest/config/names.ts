import type { Declared, Values } from '../../../ground/settings/setting.ts'
import { type RestSettings, restSettings } from '../settings.ts'
import { type ServerSettings, serverSettings } from './server-settings.ts'

/** How the reference server reads a value, and how it writes it into a dump of its configuration. */
export type ValueKind = 'text' | 'list' | 'emptyable_list' | 'integer' | 'flag' | 'octal'

/** A setting as the reference server knows it. */
export interface ReferenceName {
  /** In its configuration file; `PGRST_…` in the environment, `pgrst.…` in the database. */
  readonly name: string
  /** Older names, or those of settings that stand in for this one. */
  readonly aliases: readonly string[]
  readonly kind: ValueKind
  /** Whether the connecting role, or the pre-config function, may set it. */
  readonly inDatabase: boolean
}

interface Extra {
  readonly kind?: ValueKind
  readonly aliases?: readonly string[]
  readonly inDatabase?: boolean
}

const named = (name: string, { kind = 'text', aliases = [], inDatabase = false }: Extra = {}): ReferenceName => ({
  name,
  aliases,
  kind,
  inDatabase,
})
const everywhere = (name: string, extra: Extra = {}): ReferenceName => named(name, { ...extra, inDatabase: true })

const integer = { kind: 'integer' } as const
const flag = { kind: 'flag' } as const

/** The reference server's names of the service's settings. */
export const restNames = {
  schemas: everywhere('db-schemas', { kind: 'list', aliases: ['db-schema'] }),
  extraSearchPath: everywhere('db-extra-search-path', { kind: 'emptyable_list' }),
  anonRole: everywhere('db-anon-role'),
  maxRows: everywhere('db-max-rows', { kind: 'integer', aliases: ['max-rows'] }),
  aggregatesEnabled: everywhere('db-aggregates-enabled', flag),
  planEnabled: everywhere('db-plan-enabled', flag),
  preRequest: everywhere('db-pre-request', { aliases: ['pre-request'] }),
  rootSpec: everywhere('db-root-spec', { aliases: ['root-spec'] }),
  txEnd: everywhere('db-tx-end'),
  hoistedTxSettings: everywhere('db-hoisted-tx-settings', { kind: 'list' }),
  preparedStatements: everywhere('db-prepared-statements', flag),
  channel: named('db-channel'),
  channelEnabled: named('db-channel-enabled', flag),
  config: named('db-config', flag),
  preConfig: everywhere('db-pre-config'),
  poolSize: named('db-pool', integer),
  poolAcquisitionTimeout: named('db-pool-acquisition-timeout', integer),
  poolMaxIdletime: named('db-pool-max-idletime', { kind: 'integer', aliases: ['db-pool-timeout'] }),
  poolMaxLifetime: named('db-pool-max-lifetime', integer),
  jwtSecret: everywhere('jwt-secret'),
  jwtSecretIsBase64: everywhere('jwt-secret-is-base64', { kind: 'flag', aliases: ['secret-is-base64'] }),
  jwtAud: everywhere('jwt-aud'),
  jwtRoleClaimKey: everywhere('jwt-role-claim-key', { aliases: ['role-claim-key'] }),
  jwtCacheMaxEntries: named('jwt-cache-max-entries', integer),
  openapiMode: everywhere('openapi-mode'),
  openapiSecurityActive: everywhere('openapi-security-active', flag),
  openapiServerProxyUri: everywhere('openapi-server-proxy-uri'),
  corsAllowedOrigins: everywhere('server-cors-allowed-origins', { kind: 'list' }),
  traceHeader: everywhere('server-trace-header'),
  serverTimingEnabled: everywhere('server-timing-enabled', flag),
  errorVerbosity: everywhere('client-error-verbosity'),
  legacyTargetNames: everywhere('url-use-legacy-target-names', flag),
} as const satisfies Partial<Record<keyof RestSettings, ReferenceName>>

/** The reference server's names of the settings of the server itself. */
const serverNames = {
  uri: named('db-uri'),
  poolAutomaticRecovery: named('db-pool-automatic-recovery', flag),
  logLevel: named('log-level'),
  logQuery: named('log-query', flag),
  serverHost: named('server-host'),
  serverPort: named('server-port', integer),
  serverReuseport: named('server-reuseport', flag),
  serverUnixSocket: named('server-unix-socket'),
  serverUnixSocketMode: named('server-unix-socket-mode', { kind: 'octal' }),
  adminServerHost: named('admin-server-host', { aliases: ['server-host'] }),
  adminServerPort: named('admin-server-port', integer),
  adminServerUnixSocket: named('admin-server-unix-socket'),
  adminServerUnixSocketMode: named('admin-server-unix-socket-mode', { kind: 'octal' }),
} as const satisfies Record<keyof ServerSettings, ReferenceName>

/** Where the application's own settings begin: `app.settings.name = "…"`. */
export const appSettingsPrefix = 'app.settings.'

/** `db-schemas` as the environment has it. */
export const environmentVariable = (name: string): string => `PGRST_${name.replaceAll('-', '_').toUpperCase()}`

/** `db-schemas` as the database has it, without `pgrst.`. */
export const databaseName = (name: string): string => name.replaceAll('-', '_')

/** The names that a setting of the service has in `clew.toml` besides its own: those of the reference server. */
export function referenceNames(setting: string): readonly string[] {
  const known: Readonly<Record<string, ReferenceName>> = restNames
  const found = known[setting]
  return found === undefined ? [] : [found.name, ...found.aliases].flatMap((name) => [databaseName(name), name])
}

/** What the environment says of the service's settings under the reference server's names. */
export function referenceVariables(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const prefix = 'PGRST_APP_SETTINGS_'
  const own = Object.entries(environment)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length).toLowerCase(), value])
  const values = Object.entries(restNames).map(([setting, { name, aliases }]: [string, ReferenceName]) => {
    const variables = [name, ...aliases].map((one) => environment[environmentVariable(one)])
    return [setting, variables.find((value) => value !== undefined)] as const
  })
  return {
    ...Object.fromEntries(values),
    appSettings: own.length === 0 ? undefined : JSON.stringify(Object.fromEntries(own)),
  }
}

/** What is read where: the declarations beside their names. */
export const rooms = [
  { declared: restSettings as Declared, names: restNames as Readonly<Record<string, ReferenceName>> },
  { declared: serverSettings as Declared, names: serverNames as Readonly<Record<string, ReferenceName>> },
] as const

/** Every setting of PostgREST’s configuration file. */
export type ReferenceSettings = Values<typeof restSettings> & Values<typeof serverSettings>
