import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { ClickHouse } from '../engines/clickhouse/index.ts'
import type { Postgres } from '../engines/postgres/index.ts'
import type { LocalConsole } from '../gateway/index.ts'
import type { LiveCertificate } from '../ground/http/certificate.ts'
import type { RootKeys } from '../ground/ids/root-keys.ts'
import type { ApiKeys } from '../ground/jwt/api-keys.ts'
import type { KeySet } from '../ground/jwt/keys.ts'
import type { KeyRotation, SecretRotation } from '../ground/jwt/rotation.ts'
import type { FunctionLog } from '../ground/model/function-log.ts'
import type { DiskSpace, EngineHealth } from '../ground/model/health.ts'
import type { SecretReload } from '../ground/model/secret-reload.ts'
import type { RetiredCertificateKey } from '../ground/privacy/certificate.ts'
import type { MigrationsDeps } from '../services/migrations/index.ts'
import type { RunMigration } from '../services/schema/index.ts'
import type { DeclaredBucket, ReadSettings, Settings } from '../settings/index.ts'
import type { EngineFolders } from './engines.ts'

/** Where a process stands among the workers of an instance. */
export interface WorkerPlace {
  /** From 1. */
  readonly number: number
  readonly count: number
  /** Its name on the bus. */
  readonly node: string
  /** Where the broker of the workers' bus listens. */
  readonly busSocket: string
  /** For what lives as short as the worker. */
  readonly folder: string
  readonly port: number
  readonly consolePort: number
  /** Whether it is the first to start, which applies the project folder. */
  readonly isFirst: boolean
}

/** Who uses secrets of the settings in a way that must be told of other values. */
export interface SecretUser {
  /** Their names: `[mail] smtp_pass`. */
  readonly secrets: readonly string[]
  /**
   * Tries the next values before they count.
   *
   * @throws CLEW_SECRET_NEEDS_START where they take a new start, any other error where they cannot be used
   */
  readonly check?: (next: Settings) => Promise<void>
  /** Called when the settings have them. */
  readonly taken?: () => Promise<void> | void
}

/** What an instance hands in: its folders, its keys and what it does with the database before services use it. */
export interface ComposeInput {
  /** A secret that is read of them is that of now: `clew config reload`. */
  readonly settings: Settings
  /** Adds who must be told when a secret of the settings is another one. */
  readonly useSecrets: (user: SecretUser) => void
  /** Has every process read the secrets of the settings again; `by` is what asks, for the audit log. */
  readonly reloadSecrets: (by: string) => Promise<SecretReload>
  /** Where each setting was said, by section; defaults are not among them. */
  readonly places: ReadSettings['places']
  readonly folders: InstanceFolders
  /** Null for a process on its own. */
  readonly worker: WorkerPlace | null
  readonly keys: InstanceKeys
  readonly rotation: KeyRotation & SecretRotation
  /** Of the ports that speak HTTPS; null where none does. */
  readonly certificate: LiveCertificate | null
  readonly prepareProject: PrepareProject
  /** Looks at ClickHouse before tables are made or changed there; throws where a newer version has. */
  readonly beforeTables: (clickhouse: Pick<ClickHouse, 'query'>) => Promise<void>
  /** The numbers of all workers in Prometheus' text format; null for a process on its own. */
  readonly allMetrics: (() => Promise<string>) | null
  /** The room on the data directory's disk. */
  readonly disk: DiskSpace & { readonly health: () => Promise<EngineHealth> }
  /** Bytes that removing the restore points of upgrades frees. */
  readonly restorePointBytes: () => Promise<number>
  /** Called with a line for each step of the start. */
  readonly report: (line: string) => void
  readonly log: Logger
  /** Lines of the log since the start that no drain took. */
  readonly droppedLines: () => number
  /** Told each line that a function logs, besides the thread. */
  readonly functionLogged?: (line: FunctionLog) => void
  /** Logs a line of an engine. */
  readonly logLine: (line: string) => void
  /** Everything that was opened, in order, also when a later step fails: the caller closes it in reverse. */
  readonly opened: (() => Promise<void>)[]
}

/** The folders of a process. */
export interface InstanceFolders extends EngineFolders {
  readonly data: string
  readonly storage: string
  /** What all processes have answered and not yet stored. */
  readonly spools: string
  /** What this process has answered and not yet stored. */
  readonly spool: string
  /** Spools of workers that there are no more, as their number was lowered. */
  readonly leftSpools: readonly string[]
  /** For what lives as short as the process. */
  readonly run: string
}

export interface InstanceKeys {
  readonly api: ApiKeys
  readonly tokens: KeySet
  /** That of now. */
  readonly ingestToken: string
  /** Those that are accepted, that of now first; the list is changed in its place. */
  readonly ingestTokens: readonly string[]
  /** That of now. */
  readonly databasePassword: string
  readonly roots: RootKeys
  /** Of root keys that are no more: those of now. */
  readonly retiredCertificateKeys: readonly RetiredCertificateKey[]
}

/** Applies the project folder to a database that has the services' tables. */
export type PrepareProject = (
  database: Postgres,
  tables: { readonly people: readonly string[]; readonly schemas: readonly string[] },
) => Promise<PreparedProject>

/** Buckets and objects of the storage service, as the service role. */
export interface BucketStore {
  buckets(): Promise<readonly StoredBucket[]>
  createBucket(name: string, properties: BucketProperties): Promise<void>
  updateBucket(id: string, properties: BucketProperties): Promise<void>
  upload(
    address: { readonly bucket: string; readonly key: string },
    source: {
      readonly open: () => Readable
      readonly sizeBytes: number | null
      readonly contentType: string
      readonly cacheControl: string
      readonly overwrites: boolean
    },
  ): Promise<void>
}

/** The properties of a bucket that a project may declare. */
export type BucketProperties = Omit<DeclaredBucket, 'objects_path'>

/** A bucket that is there. */
export interface StoredBucket {
  readonly id: string
  readonly name: string
  readonly public: boolean
  readonly file_size_limit: number | null
  readonly allowed_mime_types: readonly string[] | null
}

/** What was done about the buckets of a project. */
export interface SeededBuckets {
  readonly created: number
  readonly updated: number
  readonly uploaded: number
}

/** A project whose migrations, seed and sample are in the database. */
export interface PreparedProject {
  /** When visits of this instance's own begin; null where there are no others. */
  readonly ownSince: Date | null
  /**
   * Stores what is still to store of the sample, by the names of its tables, with the addresses of the application as it is
   * reached; null when nothing is.
   */
  readonly loadSample: (
    stores: Readonly<Record<string, (rows: readonly string[], token: string) => Promise<void>>>,
    origin: string,
  ) => Promise<LoadedSample | null>
  /** The migrations of the project folder and of the database, the oldest first. */
  readonly migrations: MigrationsDeps['read']
  /** Runs statements as a migration of the project, which gets a file in local mode. */
  readonly runMigration: RunMigration
  /** Makes the buckets that the project declares, and uploads the files of new ones; null where it declares none. */
  readonly keepBuckets: (store: BucketStore) => Promise<SeededBuckets | null>
  /** Stores secrets of the settings in the vault, by their names. */
  readonly keepSecrets: (secrets: Readonly<Record<string, string>>) => Promise<void>
  close(): Promise<void>
}

export interface LoadedSample {
  readonly sessions: number
}

/** Engines, services and both ports, listening. */
export interface RunningInstance {
  readonly apiUrl: string
  readonly consoleUrl: string
  readonly inboxUrl: string
  /** Where processes of this machine reach the application's port, past any proxy. */
  readonly listenUrl: string
  readonly dbUrl: string | null
  /** The database's address for display: without its password, unless the documentation names that password. */
  readonly shownDbUrl: string | null
  readonly exampleUrl: string | null
  /** A new link that creates the owner, in place of the one before; null when there is an owner. */
  readonly ownerLink: () => Promise<string | null>
  /** The process's numbers in Prometheus' text format. */
  readonly metrics: () => Promise<string>
  readonly health: () => Promise<readonly EngineHealth[]>
  /** Loads what is still to load of the project's sample; null when nothing is. */
  readonly loadSample: () => Promise<LoadedSample | null>
  /** Makes the project's buckets; null where it declares none, or storage is not served. */
  readonly keepBuckets: ((store: BucketStore) => Promise<SeededBuckets | null>) | null
  /** The console's API for the command line of this machine. */
  readonly localConsole: LocalConsole
  /** To be called when the password of the embedded database is another one. */
  readonly passwordReplaced: () => Promise<void>
  /** To be called when the root keys are others: the vault takes them, and what is under another is moved to the one that counts. */
  readonly rootsReplaced: () => Promise<void>
  /** Writes into the audit log that a secret of the data directory was made anew, and by what. */
  readonly secretRotated: (name: string, by: string) => Promise<void>
  /** Writes into the audit log that a secret of the settings has another value, and what read it. */
  readonly secretTaken: (name: string, by: string) => Promise<void>
  /** Removes the second factors of an operator; false when there is no such account. */
  readonly resetFactors: (email: string) => Promise<boolean>
  /** To be called when migrations of the application have run: follows their tables, and reads the schema again. */
  readonly settle: () => Promise<void>
  /** Drops what the project made in the database, and empties the services' tables of it. */
  readonly clearDatabase: () => Promise<void>
}
