import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LaterMessage, StartMessage, WorkerEvent } from '../runtime/messages.ts'
import { readEvent } from './events.ts'
import { denoEnvironment, type Inspect, type ModuleOptions, type Runtime, workerArguments } from './launch.ts'
import { createLineSplitter } from './lines.ts'

/** The user that workers run as. */
export interface WorkerUser {
  readonly uid: number
  readonly gid: number
}

/** Deno as this machine has it. */
export interface DenoInstallation {
  /** The binary. */
  readonly deno: string
  /** The folder of its cache. */
  readonly cache: string
  /** Variables that name other registries of packages than the public ones: the cache has a folder for each. */
  readonly registries: Readonly<Record<string, string>>
  /** Who its processes run as; null for the server's own user. */
  readonly user: WorkerUser | null
  readonly runtime: Runtime
}

/** How Deno is started for a worker. */
export interface ProcessOptions extends ModuleOptions, DenoInstallation {
  readonly deniedHosts: readonly string[]
  readonly memoryMib: number
  readonly lineChars: number
  /** The folder of the function's files, and the one in it where the process starts. */
  readonly files: string
  readonly startsIn: string
  /** The debugger of this process; null for none. */
  readonly inspect: Inspect | null
  /** The worker's own folder. */
  readonly folder: string
}

/** What a process tells. */
export interface ProcessListener {
  event(event: WorkerEvent): void
  /** A line of output that is no event. */
  output(text: string, stream: 'stdout' | 'stderr'): void
  /** Called once; `error` where it could not be started. */
  ended(code: number | null, error: Error | null): void
}

/** A running process. */
export interface WorkerProcess {
  readonly pid: number | undefined
  send(message: StartMessage | LaterMessage): void
  /** Closes its standard input, whereupon it ends by itself. */
  hangUp(): void
  kill(): void
}

/** Starts Deno with the runtime, which waits for its start message. */
export async function spawnWorker(options: ProcessOptions, listener: ProcessListener): Promise<WorkerProcess> {
  const { folder, user, lineChars } = options
  await prepareFolder(folder, user)
  const permissions = {
    // Packages of npm read files of their own: WebAssembly, data.
    read: [options.files, join(options.cache, 'npm')],
    own: [socketIn(folder), temporaryFolder(folder)],
    deniedHosts: options.deniedHosts,
  }
  const child = spawn(options.deno, workerArguments(options, permissions, options.runtime, options.memoryMib), {
    cwd: options.startsIn,
    env: denoEnvironment(options),
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(user ?? {}),
  })
  // It may end before it has read what it is to run.
  child.stdin.on('error', () => undefined)
  // An event wraps a log line in JSON, which may make six characters of one.
  const maxChars = lineChars * 6 + 1000
  const take = (stream: 'stdout' | 'stderr') => (text: string) => {
    const event = stream === 'stdout' ? readEvent(text) : null
    if (event !== null) listener.event(event)
    else if (text.trim() !== '') listener.output(text, stream)
  }
  child.stdout.on('data', createLineSplitter(maxChars, take('stdout')))
  child.stderr.on('data', createLineSplitter(maxChars, take('stderr')))
  child.once('error', (error) => listener.ended(null, error))
  child.once('close', (code) => listener.ended(code, null))
  if (child.pid !== undefined) await writeFile(join(folder, pidFile), String(child.pid))
  return {
    pid: child.pid,
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    hangUp: () => void child.stdin.end(),
    kill: () => kill(child),
  }
}

/** Names the process of a worker's folder, for a server that finds it after a crash of the one before. */
export const pidFile = 'pid'

/** The socket in a worker's folder. */
export const socketIn = (folder: string): string => join(folder, 's')

/** The folder for temporary files in a worker's own. */
export const temporaryFolder = (folder: string): string => join(folder, 'tmp')

async function prepareFolder(folder: string, user: WorkerUser | null): Promise<void> {
  const folders = [folder, temporaryFolder(folder)]
  for (const path of folders) {
    await mkdir(path, { recursive: true })
    await chmod(path, 0o700)
    if (user !== null) await chown(path, user.uid, user.gid)
  }
}

function kill(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
}
