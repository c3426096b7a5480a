import { isAbsolute, join } from 'node:path'
import { authSettings } from '../../services/auth/settings.ts'
import type { Section } from '../declared.ts'
import { bucketsOf } from './buckets.ts'
import { durationSeconds, sizeBytes } from './values.ts'

/** A setting of ours that a key of `config.toml` stands for. */
export interface Target {
  /** Null for the process's own. */
  readonly section: Section | null
  readonly name: string
}

/** Keys outside of `[auth]` (project-folder §4). */
const own: Readonly<Record<string, Target>> = {
  project_id: { section: null, name: 'name' },
  'api.port': { section: null, name: 'port' },
  'api.tls.enabled': { section: null, name: 'tls' },
  'api.tls.cert_path': { section: null, name: 'tlsCert' },
  'api.tls.key_path': { section: null, name: 'tlsKey' },
  'api.external_url': { section: null, name: 'publicUrl' },
  'api.schemas': { section: 'rest', name: 'schemas' },
  'api.extra_search_path': { section: 'rest', name: 'extraSearchPath' },
  'api.max_rows': { section: 'rest', name: 'maxRows' },
  'api.enabled': { section: 'rest', name: 'enabled' },
  'api.auto_expose_new_tables': { section: 'migrations', name: 'autoExposeNewTables' },
  'storage.image_transformation.enabled': { section: 'storage', name: 'imageTransformation' },
  'storage.s3_protocol.enabled': { section: 'storage', name: 's3Protocol' },
  'storage.enabled': { section: 'storage', name: 'enabled' },
  'storage.file_size_limit': { section: 'storage', name: 'fileSizeLimitBytes' },
  'storage.buckets': { section: 'migrations', name: 'buckets' },
  'edge_runtime.enabled': { section: 'functions', name: 'enabled' },
  'edge_runtime.policy': { section: 'functions', name: 'policy' },
  'edge_runtime.inspector_port': { section: 'functions', name: 'inspectorPort' },
  'edge_runtime.secrets': { section: 'functions', name: 'secrets' },
  functions: { section: 'functions', name: 'each' },
  'realtime.enabled': { section: 'realtime', name: 'enabled' },
  'db.port': { section: null, name: 'dbPort' },
  'db.major_version': { section: 'migrations', name: 'majorVersion' },
  'db.vault': { section: 'migrations', name: 'vault' },
  'db.migrations.enabled': { section: 'migrations', name: 'enabled' },
  'db.seed.enabled': { section: 'migrations', name: 'seedEnabled' },
  'db.seed.sql_paths': { section: 'migrations', name: 'seedPaths' },
  'studio.port': { section: null, name: 'consolePort' },
  'auth.jwt_secret': { section: null, name: 'jwtSecret' },
  'auth.publishable_key': { section: null, name: 'publishableKey' },
  'auth.secret_key': { section: null, name: 'secretKey' },
  'auth.email.smtp.host': { section: 'mail', name: 'smtpHost' },
  'auth.email.smtp.port': { section: 'mail', name: 'smtpPort' },
  'auth.email.smtp.user': { section: 'mail', name: 'smtpUser' },
  'auth.email.smtp.pass': { section: 'mail', name: 'smtpPass' },
  'auth.email.smtp.admin_email': { section: 'mail', name: 'adminEmail' },
  'auth.email.smtp.sender_name': { section: 'mail', name: 'senderName' },
  'auth.email.secure_password_change': { section: 'auth', name: 'securePasswordChange' },
  'auth.sessions.timebox': { section: 'auth', name: 'sessionTimeboxSeconds' },
  'auth.sessions.inactivity_timeout': { section: 'auth', name: 'sessionInactivityTimeoutSeconds' },
}

const camel = (name: string): string => name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/**
 * The setting that a key stands for; undefined where none does. Settings of auth are named as `config.toml` names them:
 * `auth.email.max_frequency` is `emailMaxFrequencySeconds`.
 */
export function targetOf(key: string): Target | undefined {
  const known = own[key]
  if (known !== undefined || !key.startsWith('auth.')) return known
  const name = camel(key.slice('auth.'.length).replaceAll('.', '_'))
  const found = [name, `${name}Seconds`].find((candidate) => Object.hasOwn(authSettings, candidate))
  return found === undefined ? undefined : { section: 'auth', name: found }
}

/**
 * The value that a setting takes of a key's: durations as seconds, sizes as bytes, paths from the project folder. What cannot be converted is
 * refused as it is.
 */
export function convert({ name }: Target, value: unknown): unknown {
  if (name === 'buckets') return bucketsOf(value).buckets
  if (typeof value !== 'string') return value
  if (name.endsWith('Seconds')) return durationSeconds(value) ?? value
  if (name.endsWith('Bytes')) return sizeBytes(value) ?? value
  return isRelativeToSupabase(name) && !isAbsolute(value) ? join('supabase', value) : value
}

/** Paths are relative to `supabase/`, but for those of mail templates (project-folder §2). */
const isRelativeToSupabase = (name: string): boolean =>
  ['signingKeysPath', 'tlsCert', 'tlsKey'].includes(name) || /^emailNotification.*ContentPath$/.test(name)

/** The CLI's defaults that differ from ours: they hold where the project has a `config.toml` that does not name them. */
export const projectDefaults: Readonly<Record<string, unknown>> = {
  'api.max_rows': 1000,
  'auth.mfa.totp.enroll_enabled': false,
  'auth.mfa.totp.verify_enabled': false,
}

/** The reason for which a key has no effect here, by its beginning. */
const reasons: readonly (readonly [beginning: string, why: string])[] = [
  ['remotes', 'it is about hosted projects'],
  ['db.shadow_port', 'no shadow database is needed'],
  ['db.network_restrictions', 'the embedded database listens on this machine only'],
  ['db.pooler', 'Clew pools connections itself'],
  ['db.health_timeout', 'the database is waited for as long as it starts'],
  ['db.migrations.schema_paths', 'schema files are compared, not applied'],
  ['experimental', 'it is about hosted projects'],
  ['studio', 'the console has no such settings'],
  ['analytics', 'analytics are part of Clew'],
  ...['inbucket', 'local_smtp'].flatMap((table) =>
    ['admin_email', 'sender_name'].map((name) => [`${table}.${name}`, 'mails go to a mail server'] as const),
  ),
  ['local_smtp', 'the inbox stands beside the console'],
  ['inbucket', 'the inbox stands beside the console'],
  ['auth.anon_key', 'tokens count by their signature'],
  ['auth.service_role_key', 'tokens count by their signature'],
]

/** Values of keys without effect that ask for nothing: the CLI's defaults, which `supabase init` writes down. */
const defaults: Readonly<Record<string, unknown>> = {
  'db.ssl_enforcement.enabled': false,
  'storage.s3_protocol.enabled': true,
  'storage.analytics.enabled': false,
  'storage.vector.enabled': false,
  'edge_runtime.deno_version': 2,
}

/** Why a key has no effect; null where the project may expect one. */
export function reasonFor(key: string, value: unknown): string | null {
  const reason = reasons.find(([beginning]) => key === beginning || key.startsWith(`${beginning}.`))?.[1]
  if (reason !== undefined) return reason
  return JSON.stringify(defaults[key]) === JSON.stringify(value) ? 'it says what holds anyway' : null
}
