import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'

/** Whether this machine has a NATS server, as Debian's package `nats-server` brings it. */
export const hasNats = spawnSync('nats-server', ['--version']).status === 0
if (!hasNats) console.warn('The bus over NATS is not tested here: nats-server is not installed.')

/** A NATS server on a port of 127.0.0.1, until the test ends. */
export interface NatsServer {
  readonly port: number
  readonly url: string
  /** Ends it as a crash does. */
  kill(): Promise<void>
  start(): Promise<void>
}

/** Starts a server, on a free port where none is named; `options` are its own, such as a user's. */
export async function startNats(options: readonly string[] = [], given?: number): Promise<NatsServer> {
  const port = given ?? (await freePort())
  let child: ChildProcess | null = null
  const kill = async (): Promise<void> => {
    const running = child
    child = null
    if (running === null) return
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
  }
  const start = async (): Promise<void> => {
    child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port), ...options], { stdio: 'ignore' })
    while (!(await answers(port))) await delay(20)
  }
  await start()
  onTestFinished(kill)
  return { port, url: `nats://127.0.0.1:${port}`, kill, start }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
