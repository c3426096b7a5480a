import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { vi } from 'vitest'
import { findBinaries } from '../src/engines/postgres/server/binaries.ts'
import { findProcessUser } from '../src/engines/postgres/server/process-user.ts'
import { freePort } from './free-port.ts'

/** A server as somebody else would run it: reached by TCP, with a superuser of its own name. */
export interface ForeignServer {
  readonly port: number
  readonly binDir: string
  /** Ends all its processes at once, or stops them, so that they answer nothing, as those of a machine that is gone. */
  crash(how: 'killed' | 'silent'): Promise<void>
  /** Starts it again where it was, after it was killed. */
  startAgain(): Promise<void>
  stop(): Promise<void>
}

/** Who the server's processes run as, and a folder for its data and sockets. */
interface Place {
  readonly identity: { readonly uid?: number; readonly gid?: number }
  readonly folder: string
}

async function newPlace(): Promise<Place> {
  const user = await findProcessUser()
  const folder = await mkdtemp(join(tmpdir(), 'clew-foreign-'))
  await chmod(folder, 0o755)
  if (user.drops) await chown(folder, user.uid, user.gid)
  return { identity: user.drops ? { uid: user.uid, gid: user.gid } : {}, folder }
}

const urlOf = (port: number): string => `postgresql://boss:secret@127.0.0.1:${port}/postgres`

/** Starts one; its superuser is `boss`, with the password `secret`. */
export async function startForeign(binDir: string, settings: readonly string[] = []): Promise<ForeignServer> {
  const place = await newPlace()
  const { folder, identity } = place
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, 'secret')
  const data = join(folder, 'data')
  const login = ['-U', 'boss', '-A', 'scram-sha-256', '--pwfile', passwordFile]
  const options = ['-D', data, ...login, '-E', 'UTF8', '--locale=C', '--no-sync']
  await promisify(execFile)(join(binDir, 'initdb'), options, { cwd: '/', ...identity })
  return serve(binDir, place, settings)
}

/** Starts a streaming standby of a server. */
export async function startStandby(
  { binDir, port }: ForeignServer,
  settings: readonly string[] = [],
): Promise<ForeignServer> {
  const place = await newPlace()
  const options = ['-d', urlOf(port), '-D', join(place.folder, 'data'), '-R', '-c', 'fast', '--no-sync']
  await promisify(execFile)(join(binDir, 'pg_basebackup'), options, { cwd: '/', ...place.identity })
  return serve(binDir, place, settings)
}

async function serve(binDir: string, { folder, identity }: Place, settings: readonly string[]): Promise<ForeignServer> {
  const port = await freePort()
  const options = [`port=${port}`, 'fsync=off', `unix_socket_directories=${folder}`, ...settings]
  const start = async () => {
    const child: ChildProcess = spawn(
      join(binDir, 'postgres'),
      ['-D', join(folder, 'data'), ...options.flatMap((option) => ['-c', option])],
      { cwd: '/', stdio: 'ignore', ...identity },
    )
    const exited = once(child, 'exit')
    await vi.waitFor(() => ask(urlOf(port), 'select'), { timeout: 30_000 })
    return { child, exited }
  }
  let running = await start()
  let silent: readonly number[] = []
  const signal = (pids: readonly number[], name: NodeJS.Signals): void => {
    for (const pid of pids) process.kill(pid, name)
  }
  const quit = async (): Promise<void> => {
    running.child.kill('SIGQUIT')
    await running.exited
  }
  return {
    port,
    binDir,
    async crash(how) {
      if (how === 'killed') return quit()
      const rows = (await ask(urlOf(port), 'select pid from pg_stat_activity where pid <> pg_backend_pid()')) as {
        pid: number
      }[]
      silent = [...(running.child.pid === undefined ? [] : [running.child.pid]), ...rows.map(({ pid }) => pid)]
      signal(silent, 'SIGSTOP')
    },
    async startAgain() {
      running = await start()
    },
    async stop() {
      signal(silent, 'SIGCONT')
      await quit()
      await rm(folder, { recursive: true })
    },
  }
}

/** Rows of one statement. */
export async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Where the binaries of the newest version are. */
export const newest = (await findBinaries(await findProcessUser())).postgres.replace(/\/postgres$/, '')
/** Debian's PostgreSQL 15, the oldest version that is served. */
const oldest = '/usr/lib/postgresql/15/bin'
/** The newest version, and the oldest where it is installed. */
export const versions = [newest, ...(existsSync(`${oldest}/postgres`) ? [oldest] : [])]
if (versions.length < 2)
  console.warn(
    `Without Debian's package postgresql-15 (${oldest}), the tests of other servers know the newest version only.`,
  )
