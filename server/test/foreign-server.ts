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
  stop(): Promise<void>
}

/** Starts one; its superuser is `boss`, with the password `secret`. */
export async function startForeign(binDir: string, settings: readonly string[] = []): Promise<ForeignServer> {
  const user = await findProcessUser()
  const identity = user.drops ? { uid: user.uid, gid: user.gid } : {}
  const folder = await mkdtemp(join(tmpdir(), 'clew-foreign-'))
  await chmod(folder, 0o755)
  if (user.drops) await chown(folder, user.uid, user.gid)
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, 'secret')
  const data = join(folder, 'data')
  const port = await freePort()
  await promisify(execFile)(
    join(binDir, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'boss',
      '-A',
      'scram-sha-256',
      '--pwfile',
      passwordFile,
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ],
    { cwd: '/', ...identity },
  )
  const options = [`port=${port}`, 'fsync=off', `unix_socket_directories=${folder}`, ...settings]
  const child: ChildProcess = spawn(
    join(binDir, 'postgres'),
    ['-D', data, ...options.flatMap((option) => ['-c', option])],
    {
      cwd: '/',
      stdio: 'ignore',
      ...identity,
    },
  )
  const admin = `postgresql://boss:secret@127.0.0.1:${port}/postgres`
  await vi.waitFor(() => ask(admin, 'select'), { timeout: 30_000 })
  return {
    port,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGQUIT')
      await ended
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
