import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { get } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface DenoOptions {
  readonly deno: string
  readonly entry: string
  readonly socket: string
}

/** Deno's binary, as the server finds it. */
export function denoBinary(): string {
  const own = createRequire(new URL('../server/package.json', import.meta.url))
  const through = createRequire(own.resolve('deno/package.json'))
  const platform = `${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}`
  return join(dirname(through.resolve(`@deno/${platform}/package.json`)), 'deno')
}

/** Starts a program of Deno as anybody would, on a Unix socket; resolves with its first answer. */
export async function startDeno({ deno, entry, socket }: DenoOptions): Promise<ChildProcess> {
  rmSync(socket, { force: true })
  const child = spawn(deno, ['run', '--quiet', '--allow-all', '--no-check', '--no-config', entry], {
    stdio: 'ignore',
    env: { ...process.env, DENO_SERVE_ADDRESS: `unix:${socket}`, DENO_NO_UPDATE_CHECK: '1' },
  })
  while (!(await answers(socket))) await new Promise((resolve) => setTimeout(resolve, 1))
  return child
}

const answers = (socketPath: string): Promise<boolean> =>
  new Promise((resolve) => {
    get({ socketPath, path: '/', agent: false }, (response) => {
      response.resume()
      response.once('end', () => resolve(true))
    }).once('error', () => resolve(false))
  })
