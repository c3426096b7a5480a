import { spawn } from 'node:child_process'
import { chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { release } from 'node:os'
import { dirname, join } from 'node:path'
import { postgresError } from '../errors.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import type { ProcessUser } from './process-user.ts'
import { canReach, findProcessUser } from './process-user.ts'
import { superuser } from './roles.ts'

/** `max_connections` of a new cluster. */
export const initialConnections = 100

/**
 * What a new cluster's postgresql.conf says. An operator may change it; what Clew cannot do without
 * (`wal_level`, where to listen) is given on the command line and wins.
 */
const configuration = `# PostgreSQL, embedded by Clew. Yours to change; Clew writes this file once, when the directory is made.

# Every answered write is on disk.
fsync = on
synchronous_commit = on
full_page_writes = on

# Modest: the whole product idles below 450 MiB.
max_connections = ${initialConnections}
shared_buffers = 64MB
io_method = sync
dynamic_shared_memory_type = posix
huge_pages = off
max_logical_replication_workers = 0
random_page_cost = 1.1

max_wal_senders = 10
max_replication_slots = 10
max_wal_size = 1GB
min_wal_size = 80MB

datestyle = 'iso, mdy'
timezone = 'UTC'
log_timezone = 'UTC'
lc_messages = 'C'
default_text_search_config = 'pg_catalog.english'
search_path = '"$user", public, extensions'

log_min_messages = log
log_checkpoints = off
`

/** The data directory as PostgreSQL is to be given it, open as a descriptor where its path cannot be walked. */
export interface Cluster {
  readonly path: string
  /** A descriptor that the child gets as its fourth (3), or null; closed by `close`. */
  readonly descriptor: number | null
  close(): Promise<void>
}

/**
 * Opens the data directory, making the cluster first when there is none. A cluster is made beside its place,
 * flushed to disk and renamed, so that a crash leaves a whole one or none.
 *
 * @throws POSTGRES_DATA_DIR_OF_ANOTHER_VERSION, POSTGRES_START_FAILED
 */
export async function openCluster(dataDir: string, binaries: Binaries, user: ProcessUser): Promise<Cluster> {
  const major = await findClusterMajor(dataDir)
  if (major === null) await makeCluster(dataDir, binaries, user)
  else if (major !== binaries.major) {
    const details = `${dataDir} is of ${major}, the server is ${binaries.major}`
    throw postgresError('POSTGRES_DATA_DIR_OF_ANOTHER_VERSION', { details })
  }
  await handOver(dataDir, user)
  return reach(dataDir, user)
}

/** The major version of PostgreSQL whose files a data directory has; null where it has none. */
export async function findClusterMajor(dataDir: string): Promise<number | null> {
  const found = await readFile(join(dataDir, 'PG_VERSION'), 'utf8').catch(() => null)
  return found === null ? null : Number.parseInt(found, 10)
}

async function makeCluster(dataDir: string, binaries: Binaries, user: ProcessUser): Promise<void> {
  await mkdir(dirname(dataDir), { recursive: true })
  const fresh = `${dataDir}.new`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { mode: 0o700 })
  if (user.drops) await chown(fresh, user.uid, user.gid)
  const place = await reach(fresh, user)
  try {
    const options = ['-U', superuser, '-A', 'peer', '-E', 'UTF8', '--no-instructions']
    // The built-in locale sorts alike on every machine and does not change with a system library.
    const locale = ['--locale-provider=builtin', '--locale=C.UTF-8', '--lc-messages=C']
    await run(binaries.initdb, ['-D', place.path, ...options, ...locale, '--no-sync'], place, user)
    await writeFile(join(fresh, 'postgresql.conf'), configuration)
    await run(binaries.initdb, ['-D', place.path, '--sync-only'], place, user)
  } finally {
    await place.close()
  }
  // An empty directory made by the caller gives way; anything else in it is not ours to remove.
  await rename(fresh, dataDir)
}

/** Has all files of a cluster, on which no server runs, outlive a power cut; on Linux all other files of their disk as well. */
export async function flushCluster(dataDir: string): Promise<void> {
  const user = await findProcessUser()
  const { initdb } = await findBinaries(user)
  const place = await reach(dataDir, user)
  try {
    // One call in place of one for each of some 1,700 files.
    const method = tellsOfSyncErrors(release()) ? 'syncfs' : 'fsync'
    await run(initdb, ['-D', place.path, '--sync-only', `--sync-method=${method}`], place, user)
  } finally {
    await place.close()
  }
}

/** Whether `syncfs` tells of bytes that could not be written: Linux does since 5.8. @param kernel as of `os.release` */
function tellsOfSyncErrors(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split('.').map(Number)
  return process.platform === 'linux' && (major > 5 || (major === 5 && minor >= 8))
}

/** Files copied or restored by root belong to root; PostgreSQL's user must own them. */
async function handOver(dataDir: string, user: ProcessUser): Promise<void> {
  if (!user.drops || (await stat(join(dataDir, 'PG_VERSION'))).uid === user.uid) return
  for (const name of await readdir(dataDir, { recursive: true })) await chown(join(dataDir, name), user.uid, user.gid)
  await chown(dataDir, user.uid, user.gid)
}

/**
 * A directory below /root cannot be walked to by another user, but a descriptor of it can be entered:
 * Linux opens /proc/self/fd/3 without looking at the directories above.
 */
async function reach(dataDir: string, user: ProcessUser): Promise<Cluster> {
  if (await canReach(user, dataDir)) return { path: dataDir, descriptor: null, close: async () => undefined }
  const handle = await open(dataDir, 'r')
  return { path: '/proc/self/fd/3', descriptor: handle.fd, close: () => handle.close() }
}

function run(program: string, parameters: readonly string[], cluster: Cluster, user: ProcessUser): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, {
      cwd: '/',
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'ignore', 'pipe', cluster.descriptor ?? 'ignore'],
      ...(user.drops ? { uid: user.uid, gid: user.gid } : {}),
    })
    let output = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4000)
    })
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(postgresError('POSTGRES_START_FAILED', { details: output.trim() }))
    })
  })
}
