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
  extra_search_path: everywhere('db-extra-search-path', { kind: 'emptyable_list' }),
  anon_role: everywhere('db-anon-role'),
  max_rows: everywhere('db-max-rows', { kind: 'integer', aliases: ['max-rows'] }),
  aggregates_enabled: everywhere('db-aggregates-enabled', flag),
  plan_enabled: everywhere('db-plan-enabled', flag),
  pre_request: everywhere('db-pre-request', { aliases: ['pre-request'] }),
  root_spec: everywhere('db-root-spec', { aliases: ['root-spec'] }),
  tx_end: everywhere('db-tx-end'),
  hoisted_tx_settings: everywhere('db-hoisted-tx-settings', { kind: 'list' }),
  prepared_statements: everywhere('db-prepared-statements', flag),
  channel: named('db-channel'),
  channel_enabled: named('db-channel-enabled', flag),
  config: named('db-config', flag),
  pre_config: everywhere('db-pre-config'),
  pool_size: named('db-pool', integer),
  pool_acquisition_timeout: named('db-pool-acquisition-timeout', integer),
  pool_max_idletime: named('db-pool-max-idletime', { kind: 'integer', aliases: ['db-pool-timeout'] }),
  pool_max_lifetime: named('db-pool-max-lifetime', integer),
  jwt_secret: everywhere('jwt-secret'),
  jwt_secret_is_base64: everywhere('jwt-secret-is-base64', { kind: 'flag', aliases: ['secret-is-base64'] }),
  jwt_aud: everywhere('jwt-aud'),
  jwt_role_claim_key: everywhere('jwt-role-claim-key', { aliases: ['role-claim-key'] }),
  jwt_cache_max_entries: named('jwt-cache-max-entries', integer),
  openapi_mode: everywhere('openapi-mode'),
  openapi_security_active: everywhere('openapi-security-active', flag),
  openapi_server_proxy_uri: everywhere('openapi-server-proxy-uri'),
  cors_allowed_origins: everywhere('server-cors-allowed-origins', { kind: 'list' }),
  trace_header: everywhere('server-trace-header'),
  server_timing_enabled: everywhere('server-timing-enabled', flag),
  error_verbosity: everywhere('client-error-verbosity'),
  legacy_target_names: everywhere('url-use-legacy-target-names', flag),
} as const satisfies Partial<Record<keyof RestSettings, ReferenceName>>

/** The same for the settings of the server around it. */
export const serverNames = {
  uri: named('db-uri'),
  pool_automatic_recovery: named('db-pool-automatic-recovery', flag),
  log_level: named('log-level'),
  log_query: named('log-query', flag),
  server_host: named('server-host'),
  server_port: named('server-port', integer),
  server_reuseport: named('server-reuseport', flag),
  server_unix_socket: named('server-unix-socket'),
  server_unix_socket_mode: named('server-unix-socket-mode', { kind: 'octal' }),
  admin_server_host: named('admin-server-host', { aliases: ['server-host'] }),
  admin_server_port: named('admin-server-port', integer),
  admin_server_unix_socket: named('admin-server-unix-socket'),
  admin_server_unix_socket_mode: named('admin-server-unix-socket-mode', { kind: 'octal' }),
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
    app_settings: own.length === 0 ? undefined : JSON.stringify(Object.fromEntries(own)),
  }
}

/** What is read where: the declarations beside their names. */
export const rooms = [
  { declared: restSettings as Declared, names: restNames as Readonly<Record<string, ReferenceName>> },
  { declared: serverSettings as Declared, names: serverNames as Readonly<Record<string, ReferenceName>> },
] as const

export type ReferenceSettings = Values<typeof restSettings> & Values<typeof serverSettings>
