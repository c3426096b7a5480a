import { Agent, type AgentOptions } from 'node:http'
import type { ClickHouse } from './clickhouse.ts'
import { createEngine } from './engine.ts'
import { supervise } from './supervise.ts'

export interface EmbeddedOptions {
  readonly kind: 'embedded'
  readonly dataDir: string
  /** Where the engine's process answers; a Unix socket's path has at most 107 characters. */
  readonly socketPath: string
  /** What statements, merges and caches together may take. */
  readonly memoryBytes: number
  readonly log: (line: string) => void
}

const startLimitMs = 30_000
const closeGraceMs = 15_000
const maxExecutionSeconds = 60
const readers = 4

/** ClickHouse in a process of its own on this machine: starts at once, in the background. */
export function createEmbedded(options: EmbeddedOptions): ClickHouse {
  if (Buffer.byteLength(options.socketPath) > 107) {
    throw new Error(`The path of ClickHouse's socket has more than 107 characters: ${options.socketPath}`)
  }
  const child = supervise({
    entry: './child/main',
    argument: JSON.stringify({
      dataDir: options.dataDir,
      socketPath: options.socketPath,
      memoryBytes: options.memoryBytes,
      maxExecutionSeconds,
      readers,
    }),
    // A thread for each lane, and one for the file system; the child's own heap stays small.
    environment: { UV_THREADPOOL_SIZE: String(readers + 3), NODE_OPTIONS: '', TZ: 'UTC' },
    log: options.log,
  })
  // `http.request` reads socketPath from its agent's options; Node's types leave it out.
  const agentOptions: AgentOptions & { socketPath: string } = {
    socketPath: options.socketPath,
    keepAlive: true,
    maxSockets: 64,
  }
  const agent = new Agent(agentOptions)
  return createEngine({
    kind: 'embedded',
    connection: {
      url: 'http://localhost',
      http_agent: agent,
      request_timeout: (maxExecutionSeconds + 10) * 1000,
      keep_alive: { enabled: true, idle_socket_ttl: 30_000 },
    },
    accepting: () => child.up(startLimitMs),
    refused: () => child.upAgain(startLimitMs),
    async health(version) {
      const state = child.state()
      if (state.kind === 'up') {
        const detail = `ClickHouse ${await version()} (embedded), ${options.dataDir}`
        return { name: 'clickhouse', state: 'up', detail, pid: state.pid }
      }
      if (state.kind === 'closed') return { name: 'clickhouse', state: 'down', detail: 'Closed.', pid: null }
      if (state.problem === null) return { name: 'clickhouse', state: 'starting', detail: 'Starting.', pid: state.pid }
      const detail = `It does not start; it is tried again. ${state.problem}`
      return { name: 'clickhouse', state: 'down', detail, pid: state.pid }
    },
    async close() {
      agent.destroy()
      await child.close(closeGraceMs)
    },
  })
}
