import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, open, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { postgresError } from '../errors.ts'
import type { CarryingOptions, EmbeddedOptions, RecoveryOptions } from '../options.ts'
import type { Binaries } from './binaries.ts'
import { findBinaries, findOtherBinaries } from './binaries.ts'
import type { Cluster } from './cluster.ts'
import { initialConnections, openCluster } from './cluster.ts'
import { writeExtensionFiles } from './extension-files.ts'
import type { ProcessUser } from './process-user.ts'
import { canReach, findProcessUser, ownName } from './process-user.ts'
import { owner, superuser } from './roles.ts'
import type { SocketPlace } from './server.ts'
import { removeStaleSockets, waitForStalePostmaster } from './stale-postmaster.ts'

/** A running server of our own. */
export interface EmbeddedServer {
  readonly pid: number
  readonly socketDir: string
  readonly port: number
  /** Rejects never; resolves with a sentence when the server ends without being asked. */
  readonly died: Promise<string>
  /** Fast shutdown: sessions are ended, the checkpoint is written, the process waited for. */
  stop(): Promise<void>
}

const startLimitMs = 60_000
const pollMs = 10
/** Each look is a process of the server, which has better things to do while it replays its log. */
const recoveryPollMs = 50
const leastBacklogMib = 1024
const bytesOfMib = 1024 ** 2
/** Part of the socket's file name, also without TCP. */
const defaultPort = 5432

/**
 * The shell becomes the server; beside it a reader of our pipe waits for its end. A killed parent closes the pipe,
 * and the server is shut down; a line on it lets the reader go without. It is no child of the server, which would
 * take its end for the crash of one of its own.
 */
const launcher = `exec 4<&0 </dev/null
( ( read -r line <&4 || kill -INT $$ ) >/dev/null 2>&1 3<&- & )
exec "$@" 4<&-`

/** Where a server with these options listens. */
export const placeOf = ({ socketDir, port }: Pick<EmbeddedOptions, 'socketDir' | 'port'>): SocketPlace => ({
  socketDir: join(socketDir, 'pg'),
  port: port ?? defaultPort,
})

/** Starts PostgreSQL on a data directory, made when absent, and waits until it answers. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const user = await findProcessUser()
  const otherBinaries = options.carrying?.binaries ?? null
  const binaries = await (otherBinaries === null ? findBinaries(user) : findOtherBinaries(user, otherBinaries))
  const { socketDir, port } = placeOf(options)
  const socketPath = join(socketDir, `.s.PGSQL.${port}`)
  if (Buffer.byteLength(socketPath) > 107) throw postgresError('POSTGRES_SOCKET_PATH_TOO_LONG', { details: socketPath })
  await waitForStalePostmaster(options.dataDir)
  const cluster = await openCluster(options.dataDir, binaries, user)
  try {
    await writeRuntimeFiles(socketDir, binaries, user)
    await writeVaultKeys(options, user)
    await removeStaleSockets(socketDir)
    return await launch({ options, cluster, binaries, user, socketDir, port })
  } finally {
    await cluster.close()
  }
}

interface Launch {
  readonly options: EmbeddedOptions
  readonly cluster: Cluster
  readonly binaries: Binaries
  readonly user: ProcessUser
  readonly socketDir: string
  readonly port: number
}

async function launch(plan: Launch): Promise<EmbeddedServer> {
  const { options, cluster, user, binaries } = plan
  const logPath = join(options.dataDir, 'server.log')
  const backlogMib = options.changeBacklogMib ?? (await shareOfDisk(options.dataDir))
  const connections = await raisedConnections(plan)
  const logFile = await open(logPath, 'w')
  const child = spawn(
    '/bin/sh',
    ['-c', launcher, 'sh', binaries.postgres, ...serverParameters(plan, backlogMib, connections)],
    {
      cwd: '/',
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['pipe', logFile.fd, logFile.fd, cluster.descriptor ?? 'ignore'],
      // Out of the terminal's process group: Ctrl-C is for us, who stop the server when requests are done.
      detached: true,
      ...(user.drops ? { uid: user.uid, gid: user.gid } : {}),
    },
  )
  child.stdin?.on('error', () => undefined)
  const ended = once(child, 'exit').then(([code, signal]) => `ended (${signal ?? code})`)
  let stopping = false
  const releaseReader = () => child.stdin?.end('ended\n')
  void ended.then(releaseReader)
  await logFile.close()
  try {
    await untilAnswers(plan, child, ended)
  } catch (error) {
    child.kill('SIGINT')
    await ended
    throw await explain(error, logPath, plan)
  }
  return {
    pid: child.pid ?? 0,
    socketDir: plan.socketDir,
    port: plan.port,
    died: new Promise((resolve) => {
      void ended.then(async (how) => {
        if (!stopping) resolve(`PostgreSQL ${how}: ${await tail(logPath)}`)
      })
    }),
    async stop() {
      stopping = true
      child.kill('SIGINT')
      await ended
    },
  }
}

/**
 * The other half is for the tables that grow meanwhile. A cap there must be: a reader that stays away would fill the disk
 * and stop all writing.
 */
async function shareOfDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return Math.max(leastBacklogMib, Math.floor((bavail * bsize) / 2 / bytesOfMib))
}

/** `max_connections` where a new cluster's are too few; zero where those of the data directory's files count. */
async function raisedConnections(plan: Launch): Promise<number> {
  const { leastConnections = 0 } = plan.options
  return leastConnections <= initialConnections ? 0 : Math.max(leastConnections, await configuredConnections(plan))
}

/** `max_connections` as the files of the data directory say; zero where they cannot be read: the start tells why. */
async function configuredConnections({ cluster, binaries, user }: Launch): Promise<number> {
  const child = spawn(binaries.postgres, ['-D', cluster.path, '-C', 'max_connections'], {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'ignore', cluster.descriptor ?? 'ignore'],
    ...(user.drops ? { uid: user.uid, gid: user.gid } : {}),
  })
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  await once(child, 'close')
  return Number.parseInt(output, 10) || 0
}

function serverParameters(
  { options, cluster, binaries, socketDir, port }: Launch,
  backlogMib: number,
  connections: number,
): string[] {
  const settings: Record<string, string> = {
    wal_level: 'logical',
    ...(connections === 0 ? {} : { max_connections: String(connections) }),
    max_slot_wal_keep_size: `${backlogMib}MB`,
    port: String(port),
    listen_addresses: options.port === null ? '' : '127.0.0.1',
    unix_socket_directories: socketDir,
    hba_file: join(socketDir, 'hba.conf'),
    ident_file: join(socketDir, 'ident.conf'),
    ...(binaries.extensionDir === null ? {} : { extension_control_path: `${socketDir}:$system` }),
    password_encryption: 'scram-sha-256',
    logging_collector: 'off',
    // Details and contexts of a message quote statements, in which there may be secrets: that of a process that was killed,
    // or of a session that was ended inside a function. Who sent the statement is told all of it.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
  }
  if (binaries.libraries.has('pg_stat_statements')) {
    settings.shared_preload_libraries = 'pg_stat_statements'
    // It replaces the constants of queries, but keeps `alter role … password` and the blocks of `do` as they were sent.
    settings['pg_stat_statements.track_utility'] = 'off'
  }
  if (options.recovery !== undefined) Object.assign(settings, recoveryParameters(options.recovery))
  if (options.carrying !== undefined) Object.assign(settings, carryingParameters(options.carrying))
  const modes = options.carrying?.keepsNumbers === true ? ['-b'] : []
  return [
    ...modes,
    '-D',
    cluster.path,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

/** A cluster that is being made is flushed as a whole, once it is. */
const carryingParameters = ({ binaries }: CarryingOptions): Readonly<Record<string, string>> => ({
  autovacuum: 'off',
  ...(binaries === null ? { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' } : {}),
})

/** All log that there is stands in its place: nothing is fetched. Connections are refused until it is replayed. */
const recoveryParameters = ({ until }: RecoveryOptions): Readonly<Record<string, string>> => ({
  // The files are flushed once, when all is replayed (`flushCluster`).
  fsync: 'off',
  restore_command: 'false',
  hot_standby: 'off',
  recovery_target_timeline: 'current',
  recovery_target_action: 'promote',
  // The abbreviation `Z` is not known yet where this is read.
  ...(until === undefined ? {} : { recovery_target_time: until.toISOString().replace('Z', '+00') }),
})

/**
 * Who may log in, and as which role: our own operating-system user through the socket, as any role that may log in (scheduled
 * jobs run as their owners), without a password; others over TCP with theirs.
 */
async function writeRuntimeFiles(socketDir: string, binaries: Binaries, user: ProcessUser): Promise<void> {
  await mkdir(socketDir, { recursive: true, mode: 0o755 })
  // The directory for sockets is given for this: its user may pass. What lies above it is not ours to open.
  if (!(await canReach(user, socketDir))) await chmod(dirname(socketDir), 0o711)
  if (!(await canReach(user, socketDir))) throw postgresError('POSTGRES_SOCKET_UNREACHABLE', { details: socketDir })
  const self = await ownName()
  const files: [name: string, text: string][] = [
    ['hba.conf', 'local all all peer map=clew\nhost all all 127.0.0.1/32 scram-sha-256\n'],
    ['ident.conf', `clew "${self}" all\n`],
  ]
  if (binaries.extensionDir !== null) await writeExtensionFiles(join(socketDir, 'extension'), binaries.extensionDir)
  await Promise.all(files.map(([name, text]) => writeFile(join(socketDir, name), text, { mode: 0o644 })))
  await chmod(socketDir, 0o755)
  if (user.drops) await chown(socketDir, user.uid, user.gid)
}

/**
 * Writes the keys of the vault as they are now. The server alone reads them, in functions of the extension `supabase_vault`:
 * one that runs has all of the earlier ones, or all of these.
 */
export async function writeVaultKeys(
  options: Pick<EmbeddedOptions, 'socketDir' | 'port' | 'vaultKeys'>,
  user?: ProcessUser,
): Promise<void> {
  const path = join(placeOf(options).socketDir, 'vault.key')
  const keys = options.vaultKeys?.()
  if (keys === undefined) return rm(path, { force: true })
  const draft = `${path}.new`
  await rm(draft, { force: true })
  await writeFile(draft, keys, { mode: 0o600 })
  const { drops, uid, gid } = user ?? (await findProcessUser())
  if (drops) await chown(draft, uid, gid)
  await rename(draft, path)
}

async function untilAnswers(
  { options, socketDir, port }: Launch,
  child: ChildProcess,
  ended: Promise<string>,
): Promise<void> {
  const limit = Date.now() + (options.recovery?.limitMs ?? startLimitMs)
  let exit: string | null = null
  void ended.then((how) => {
    exit = how
  })
  for (;;) {
    const client = new pg.Client({ host: socketDir, port, user: superuser, database: owner })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (exit !== null || child.exitCode !== null) throw new Error(`The server ${exit ?? 'ended'}.`, { cause: error })
      if (Date.now() > limit) throw error
    }
    await delay(options.recovery === undefined ? pollMs : recoveryPollMs)
  }
}

async function explain(cause: unknown, logPath: string, plan: Launch): Promise<Error> {
  const output = await tail(logPath)
  if (/could not (create any TCP\/IP sockets|bind)/.test(output))
    return postgresError('POSTGRES_PORT_IN_USE', { message: `Port ${plan.port} is in use.`, cause })
  return postgresError('POSTGRES_START_FAILED', { details: output, cause })
}

async function tail(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.trim().split('\n').slice(-12).join('\n')
}
