import { type ChildProcess, fork } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../listening.ts'
import { environmentOf } from './environment.ts'
import type { ClewSettings } from './settings.gen.ts'

const command = fileURLToPath(new URL('../../bin/clew.js', import.meta.url))
const defaultTimeoutMs = 120_000
/** Requests in flight have ten seconds to end (`close_grace_seconds`), the engines a few more. */
const longestStopMs = 30_000
/** An error and what led to it; the rest of what the process wrote is forgotten. */
const keptOutputLength = 16_384

/** What is started. */
export interface StartOptions {
  /** The folder with `supabase/` and `clew.toml`, relative to the working directory; none where not given. */
  readonly project?: string
  /** A data directory that stays; where not given, an empty one of its own that `close` removes. */
  readonly data?: string
  /** Settings as `clew.toml` spells them; they win over the files of the project. */
  readonly settings?: Omit<ClewSettings, 'data'>
  /** Milliseconds after which a start that is not ready is given up; 120,000 where not given. */
  readonly timeoutMs?: number
}

/** A running Clew: what a client needs to reach it. */
export interface Clew {
  /** The application's and the API's address: the URL of `createClient`. */
  readonly apiUrl: string
  /** The console's address. */
  readonly consoleUrl: string
  /** The address of the development inbox, which keeps each mail that the tested application causes. */
  readonly inboxUrl: string
  /** The database's address, as the owner of the project's tables. */
  readonly dbUrl: string
  /** The key of browsers. */
  readonly publishableKey: string
  /** The key of servers, which passes every policy. */
  readonly secretKey: string
  /** The key of browsers as a token (JWT). */
  readonly anonKey: string
  /** The key of servers as a token (JWT). */
  readonly serviceRoleKey: string
  /** The secret that tokens are signed with, for tests that make their own. */
  readonly jwtSecret: string
  /** The project token of posthog-js. */
  readonly ingestToken: string
  /** Stops everything, and removes the data directory where it was not given. A second call waits for the first. */
  close(): Promise<void>
}

/** What the forked process says once it is ready: a Clew without its end. */
export type ReadyMessage = Omit<Clew, 'close'>

/**
 * Starts Clew in a process of its own, on free ports of this machine. It ends with the process that started it, however
 * that ends. Variables named `CLEW_…` and `PGRST_…` do not reach it, nor the addresses of engines and of a public host
 * that the project's `clew.toml` may name: a test must not work on another database than its own.
 *
 * @throws Error with what the command printed, where the start is refused or takes longer than `timeoutMs`
 * @throws TypeError where a setting is unknown
 */
export async function start({ project, data, settings = {}, timeoutMs }: StartOptions = {}): Promise<Clew> {
  const dbPort = settings.db_port ?? (await freePort('127.0.0.1'))
  const env = environmentOf(process.env, { ...testDefaults, ...settings, db_port: dbPort })
  const folder = data === undefined ? await mkdtemp(join(tmpdir(), 'clew-')) : resolve(data)
  await mkdir(folder, { recursive: true })
  const args = ['start', '--ends-with-parent', '--data', folder]
  // Without a project folder the working directory's is not taken either.
  const [cwd, place] = project === undefined ? [folder, []] : [process.cwd(), ['--project', resolve(project)]]
  const child = fork(command, [...args, ...place], {
    cwd,
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const exited = new Promise<void>((done) => {
    child.once('exit', () => done())
    // It was never started.
    child.once('error', () => done())
  })
  let isReady = false
  const end = async (): Promise<void> => {
    const timer = setTimeout(() => child.kill('SIGKILL'), longestStopMs)
    child.ref()
    if (isReady && child.connected) child.disconnect()
    else child.kill('SIGTERM')
    await exited
    clearTimeout(timer)
    if (data === undefined) await rm(folder, { recursive: true, force: true })
  }
  try {
    const ready = await readyMessage(child, timeoutMs ?? defaultTimeoutMs)
    isReady = true
    // A test run that forgets `close` ends all the same, and Clew with it.
    for (const held of [child, child.channel, child.stderr as unknown as { unref(): void }]) held?.unref()
    let ending: Promise<void> | undefined
    return { ...ready, close: () => (ending ??= end()) }
  } catch (error) {
    await end()
    throw error
  }
}

/** Ports that are free, engines of its own, no visits of a sample: what every test begins with. */
const testDefaults = {
  port: 0,
  console_port: 0,
  host: '127.0.0.1',
  production: false,
  public_url: '',
  console_url: '',
  database_url: '',
  database_direct_url: '',
  clickhouse_url: '',
  sample: '',
} satisfies ClewSettings

function readyMessage(child: ChildProcess, timeoutMs: number): Promise<ReadyMessage> {
  let output = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-keptOutputLength)
  })
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`Clew was not ready after ${timeoutMs} ms.\n${output}`)), timeoutMs)
    // Its only message; `clew start` is the sender.
    child.once('message', (message) => done(message as ReadyMessage))
    child.once('error', fail)
    child.once('close', (code) => fail(new Error(`Clew did not start (exit code ${code}).\n${output.trim()}`)))
    child.once('message', () => clearTimeout(timer))
    child.once('close', () => clearTimeout(timer))
  })
}
