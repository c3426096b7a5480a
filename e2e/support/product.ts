import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { askOwnerLink, askStatus, type InstanceStatus } from '../../server/src/instance/control.ts'
import { directoryOf } from '../../server/src/instance/directory.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
export const cafeFolder = join(root, 'examples', 'cafe')
/** The built command line. */
export const command = join(root, 'server', 'bin', 'clew.js')

/** What `clew status --json` says of the running product, whose database has a port. */
export interface ProductFacts extends InstanceStatus {
  readonly dbUrl: string
}

export interface Product extends ProductFacts {
  readonly dataDir: string
  /** Everything it printed so far. */
  readonly output: () => string
  /** The one-time link that creates the owner; null when there is an owner. */
  readonly setupUrl: string | null
  readonly child: ChildProcess
  /** Stops it as Ctrl-C does and waits until its process has ended. */
  stop(): Promise<number | null>
  /** Stops it, and removes its data. */
  close(): Promise<void>
}

export interface ProductOptions {
  readonly project?: string
  /** A directory of the test's own: of `newDataDir`, of an earlier start, or an empty one, in which a start makes everything. */
  readonly dataDir?: string
  readonly port?: number
  readonly consolePort?: number
  /** Begins with the project's recording of visits; what else a test finds is its own doing. */
  readonly sample?: boolean
  /** Further arguments of `clew start`. */
  readonly args?: readonly string[]
  /** Further environment variables. */
  readonly env?: NodeJS.ProcessEnv
  /** Another build of the command line. */
  readonly program?: string
}

/** Starts the built product in a process of its own, on free ports and a data directory of its own. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const dataDir = options.dataDir ?? (await newDataDir())
  const port = options.port ?? (await freePort())
  const [consolePort, dbPort] = [options.consolePort ?? (await freePort()), await freePort()]
  const place = ['--data', dataDir, ...(options.project === undefined ? [] : ['--project', options.project])]
  const child = spawn(
    options.program ?? command,
    [
      'start',
      ...place,
      ...['--port', String(port), '--console-port', String(consolePort), '--db-port', String(dbPort)],
      ...(options.sample === true ? [] : ['--sample', '']),
      ...(options.args ?? []),
    ],
    { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...options.env } },
  )
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  await Promise.race([
    until(() => output.includes('Ready in'), 110_000),
    exited.then((code) => {
      throw new Error(`The product ended with ${code}:\n${output}`)
    }),
  ]).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw new Error(`${String(error)}\n${output}`)
  })
  // As `clew status` and `clew owner-link` ask it, without a process for each.
  const { control } = directoryOf(dataDir)
  const facts = await askStatus(control)
  const stop = async (): Promise<number | null> => {
    child.kill('SIGINT')
    return exited
  }
  return {
    ...facts,
    dbUrl: facts.dbUrl ?? '',
    dataDir,
    child,
    output: () => output,
    setupUrl: await askOwnerLink(control),
    stop,
    async close() {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * Half of a first start's work is to make the tables of both engines: this data directory has a copy of them.
 *
 * @param path where it is to be; a temporary folder by default
 */
export async function newDataDir(path?: string): Promise<string> {
  const dataDir = path ?? (await mkdtemp(join(tmpdir(), 'clew-e2e-')))
  await mkdir(dataDir, { recursive: true })
  const made = process.env.MADE_ENGINES
  if (made === undefined) return dataDir
  const { postgres, clickhouse } = directoryOf(dataDir)
  await promisify(execFile)('cp', ['-a', join(made, basename(postgres)), join(made, basename(clickhouse)), dataDir])
  return dataDir
}

/** Kills the product's process, and with it, where asked, both engines; none of them is told beforehand. */
export function killNow(product: Product, withEngines: boolean): void {
  product.child.kill('SIGKILL')
  if (withEngines) for (const { pid } of product.engines) if (pid !== null) process.kill(pid, 'SIGKILL')
}

export interface RunResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs one `clew` command to its end. */
export async function run(args: readonly string[], cwd = tmpdir(), env: NodeJS.ProcessEnv = {}): Promise<RunResult> {
  return runProgram(command, args, cwd, env)
}

/** Runs a program to its end. */
export async function runProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<RunResult> {
  const child = spawn(program, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout, stderr }
}

// Below the ports that the system gives to outgoing connections, and apart from those of the other test process.
const firstPort = 16_000 + 4_000 * (Number(process.env.VITEST_POOL_ID ?? 0) % 4)
let lastPort = firstPort + randomInt(3_000)

/** A TCP port that was free a moment ago; never one that it returned before. */
export async function freePort(): Promise<number> {
  for (;;) {
    lastPort += 1
    const port = lastPort
    if (await canListen(port)) return port
  }
}

function canListen(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** Waits until a condition holds; looks after 20 ms, and then less and less often: looking is work for the product, too. */
export async function until(condition: () => boolean | Promise<boolean>, limitMs = 60_000): Promise<void> {
  const end = Date.now() + limitMs
  for (let pauseMs = 20; !(await condition()); pauseMs = Math.min(pauseMs * 1.5, 250)) {
    if (Date.now() > end) throw new Error(`Waited ${limitMs} ms in vain for: ${condition.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
