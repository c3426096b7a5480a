import Type from 'typebox'
import { clusterSettings } from '../engines/bus/settings.ts'
import { logSettings } from '../engines/log/settings.ts'
import { mailSettings } from '../engines/mail/settings.ts'
import { spoolSettings } from '../engines/spool/settings.ts'
import { type Declared, nullable, setting, texts, type Values } from '../ground/settings/setting.ts'
import { alertsSettings } from '../services/alerts/settings.ts'
import { analyticsSettings } from '../services/analytics/settings.ts'
import { authSettings } from '../services/auth/settings.ts'
import { backupSettings } from '../services/backups/settings.ts'
import { acmeSettings } from '../services/certificates/settings.ts'
import { cronSettings } from '../services/cron/settings.ts'
import { diskSettings } from '../services/disk/settings.ts'
import { experimentsSettings } from '../services/experiments/settings.ts'
import { exportsSettings } from '../services/exports/settings.ts'
import { flagsSettings } from '../services/flags/settings.ts'
import { functionsSettings } from '../services/functions/settings.ts'
import { issuesSettings } from '../services/issues/settings.ts'
import { liveSettings } from '../services/live/settings.ts'
import { mcpSettings } from '../services/mcp/settings.ts'
import { netSettings } from '../services/net/settings.ts'
import { notesSettings } from '../services/notes/settings.ts'
import { operatorsSettings } from '../services/operators/settings.ts'
import { otlpSettings } from '../services/otlp/settings.ts'
import { privacySettings } from '../services/privacy/settings.ts'
import { realtimeSettings } from '../services/realtime/settings.ts'
import { replaySettings } from '../services/replay/settings.ts'
import { restSettings } from '../services/rest/settings.ts'
import { retentionSettings } from '../services/retention/settings.ts'
import { schemaSettings } from '../services/schema/settings.ts'
import { sharesSettings } from '../services/shares/settings.ts'
import { sqlEditorSettings } from '../services/sql-editor/settings.ts'
import { storageSettings } from '../services/storage/settings.ts'
import { surveysSettings } from '../services/surveys/settings.ts'
import { telemetrySettings } from '../services/telemetry/settings.ts'
import { threadSettings } from '../services/thread/settings.ts'
import { declaredBuckets } from './buckets.ts'
import type { instanceSettings } from './instance.ts'

/** What is applied of a project folder. */
const migrationSettings = {
  enabled: setting(Type.Boolean(), {
    default: true,
    description: 'Whether the migrations of the project folder are applied at the start.',
  }),
  seedEnabled: setting(Type.Boolean(), {
    default: true,
    description: 'Whether a new database is filled by the seed of the project folder.',
  }),
  seedPaths: setting(Type.Array(Type.String()), {
    default: ['./seed.sql'],
    description: 'The files of the seed in their order, as globs relative to supabase/.',
  }),
  missingExtensions: setting(Type.Enum(['refuse', 'skip']), {
    default: 'refuse',
    description:
      'Whether a statement of the project folder on an extension that PostgreSQL lacks ends the start or is left out. Those ' +
      'that no application stands on (pg_graphql, pgsodium, pgtap, …) are left out in any case.',
  }),
  vault: setting(texts, {
    default: {},
    secret: true,
    description:
      'Secrets by their names, stored in the vault at each start, before the migrations; an empty one is left out.',
  }),
  buckets: setting(declaredBuckets, {
    default: {},
    description:
      'Buckets by their names, created or brought up to date at each start; the files below objects_path, relative to ' +
      'supabase/, are uploaded when a bucket is declared first.',
  }),
  autoExposeNewTables: setting(nullable(Type.Boolean()), {
    default: null,
    description:
      'Whether what the project creates in public is granted to anon, authenticated and service_role by default; decided ' +
      'when a database is new to the project, and granted where nothing is said.',
  }),
  majorVersion: setting(nullable(Type.Integer({ minimum: 0, maximum: 1000 })), {
    default: null,
    description: 'The version of PostgreSQL that the project was written for; the log names a server of another one.',
  }),
} satisfies Declared

/** What is kept before a newer version changes the data. */
const upgradeSettings = {
  keep: setting(Type.Boolean(), {
    default: true,
    description:
      'Whether the data are kept as a restore point before an upgrade, from which `clew upgrade rollback` goes back.',
  }),
  keepDays: setting(Type.Integer({ minimum: 1, maximum: 3650 }), {
    default: 14,
    description: 'Days after which restore points are removed.',
  }),
  compareMib: setting(Type.Integer({ minimum: 0, maximum: 1_048_576 }), {
    limit: true,
    default: 256,
    description: 'MiB of a table up to which its rows are counted before and after an upgrade.',
  }),
  postgresBinaries: setting(nullable(Type.String({ minLength: 1 })), {
    default: null,
    description:
      'The folder with `bin/postgres` of the PostgreSQL that the data are of, where a version brings another major one; the ' +
      'folder that the version before ran it from, where nothing is said.',
  }),
  changesSeconds: setting(Type.Integer({ minimum: 1, maximum: 86_400 }), {
    limit: true,
    default: 1800,
    description:
      'Seconds within which row changes that are not stored yet are, before PostgreSQL gets another major version.',
  }),
} satisfies Declared

/** The settings of every section of `clew.toml`. */
export const sections = {
  migrations: migrationSettings,
  rest: restSettings,
  mail: mailSettings,
  spool: spoolSettings,
  cluster: clusterSettings,
  auth: authSettings,
  analytics: analyticsSettings,
  flags: flagsSettings,
  experiments: experimentsSettings,
  surveys: surveysSettings,
  shares: sharesSettings,
  notes: notesSettings,
  privacy: privacySettings,
  exports: exportsSettings,
  replay: replaySettings,
  thread: threadSettings,
  issues: issuesSettings,
  operators: operatorsSettings,
  cron: cronSettings,
  net: netSettings,
  storage: storageSettings,
  functions: functionsSettings,
  realtime: realtimeSettings,
  live: liveSettings,
  backup: backupSettings,
  upgrade: upgradeSettings,
  disk: diskSettings,
  retention: retentionSettings,
  alerts: alertsSettings,
  log: logSettings,
  telemetry: telemetrySettings,
  otlp: otlpSettings,
  sqlEditor: sqlEditorSettings,
  schema: schemaSettings,
  mcp: mcpSettings,
  acme: acmeSettings,
} satisfies Record<string, Declared>

/** The name of a section. */
export type Section = keyof typeof sections
export const isSection = (name: string): name is Section => Object.hasOwn(sections, name)
/** The sections in their order. */
export const sectionNames: readonly Section[] = Object.keys(sections).filter(isSection)

/** The values of `instanceSettings`. */
export type InstanceSettings = Values<typeof instanceSettings>
/** The values of every section, the process’s own as `instance`. */
export type Settings = { readonly instance: InstanceSettings } & {
  readonly [Name in Section]: Values<(typeof sections)[Name]>
}
