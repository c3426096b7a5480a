import { join } from 'node:path'
import { createGuardedAgents } from '../engines/outbound/index.ts'
import { ofEachRoot } from '../ground/ids/root-keys.ts'
import { createRootSealing } from '../ground/ids/root-sealing.ts'
import type { ApiKeys } from '../ground/jwt/api-keys.ts'
import type { PersonStore } from '../ground/privacy/person.ts'
import { readCalendar } from '../services/cron/index.ts'
import type { Disk } from '../services/disk/index.ts'
import type { ExportsDeps } from '../services/exports/index.ts'
import {
  createStorage,
  hasStorageTables,
  localS3AccessKey,
  openFileStore,
  openS3Bucket,
  type S3AccessKey,
  type StorageDeps,
  s3AccessKeyOf,
  storageConsole,
  storagePersonStore,
  storageService,
} from '../services/storage/index.ts'
import type { Settings } from '../settings/index.ts'
import { version } from '../version.ts'
import type { ComposeInput, InstanceKeys } from './instance.ts'
import type { Add, Engines, JoinDeps, Shared } from './shared.ts'

/** What object storage takes of the instance. */
interface OpenStorageDeps
  extends Omit<StorageDeps, 'settings' | 'files' | 'keys' | 'newId' | 's3Keys' | 'publicUrl' | 'version'> {
  readonly keys: InstanceKeys
  /** Where files are, unless the settings name another place. */
  readonly folder: string
  readonly isDiskShort: () => boolean
  /** Whether there are as many files as the settings allow. */
  readonly areFilesFull: () => boolean
  readonly newId: () => string
}

/** Object storage with its files: in the data directory, or where the settings say. */
async function openStorage(
  { storage, instance }: Settings,
  { keys, folder, isDiskShort, areFilesFull, ...deps }: OpenStorageDeps,
) {
  const files = await openFileStore(storage, folder, { isDiskShort, areFilesFull })
  return createStorage({
    ...deps,
    files,
    keys: keys.tokens,
    settings: storage,
    s3Keys: { accessKeys: planS3AccessKeys(instance, keys), publicKeys: () => publicKeysOf(keys.api) },
    publicUrl: instance.publicUrl === null ? null : new URL(instance.publicUrl),
    version,
  })
}

/** Keys that stand in pages, those before them too. */
const publicKeysOf = ({ anonKey, publishableKey, earlierKeys }: ApiKeys): readonly string[] => [
  ...[anonKey, publishableKey],
  ...earlierKeys.flatMap(({ name, key }) => (name === 'publishable' ? [key] : [])),
]

/** The access keys of the S3 protocol, that of now first: the public one of local mode, or the data directory's own. */
export function planS3AccessKeys(
  { production }: Pick<Settings['instance'], 'production'>,
  { roots }: Pick<InstanceKeys, 'roots'>,
): () => readonly S3AccessKey[] {
  if (!production) return () => [localS3AccessKey]
  const ofRoots = ofEachRoot(roots, ({ secret }) => s3AccessKeyOf(secret))
  return () => ofRoots().map(({ value }) => value)
}

/** What scheduled exports take of the instance, of the command line's exports, of cron and of storage. */
export const planExports = (
  { settings, folders, keys }: Pick<ComposeInput, 'settings' | 'folders' | 'keys'>,
  { clickhouse, sql: database, live }: Pick<Shared, 'clickhouse' | 'sql' | 'live'>,
): Pick<
  ExportsDeps,
  'writeRows' | 'openBucket' | 'readSchedule' | 'rules' | 'sealing' | 'folder' | 'settings' | 'changed'
> => ({
  // Imports of other databases come with it: it is loaded when something is due.
  writeRows: async (file) =>
    (await import('../transfer/index.ts')).exportRows({ ...file, by: 'storing', clickhouse, database }),
  openBucket: ({ rules, ...location }) => openS3Bucket({ ...location, agents: createGuardedAgents(rules) }),
  readSchedule: readCalendar,
  rules: {
    reach: settings.instance.production ? 'public' : 'public and loopback',
    allowsPlain: true,
    allowedHosts: settings.net.allowedHosts,
  },
  sealing: createRootSealing(keys.roots, 'keys of exports'),
  folder: join(folders.spool, 'exports'),
  settings: settings.exports,
  changed: () => live.announce('console'),
})

/** Stored objects, where the database has their tables: as a store of people, null where it has not. */
export async function addStorage(
  add: Add,
  { settings, keys, folders, disk: { isShort: isDiskShort } }: ComposeInput,
  { postgres: { session, owner } }: Engines,
  { addresses: { apiUrl }, shared, actions, disk }: JoinDeps & { readonly disk: Pick<Disk, 'areFilesFull'> },
): Promise<PersonStore | null> {
  if (!(await hasStorageTables(shared.sql))) return null
  const { storage: folder } = folders
  const { areFilesFull } = disk
  const storage = await openStorage(settings, { ...shared, session, keys, folder, isDiskShort, areFilesFull })
  const { enabled, fileSizeLimitBytes: fileSizeLimit } = settings.storage
  const pages = storageConsole({ ...shared, storage, owner, actions, apiUrl, fileSizeLimit })
  add({ ...storageService(storage), console: enabled ? [pages] : [] }, enabled)
  return storagePersonStore(storage, shared.sql)
}
