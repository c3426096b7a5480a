import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../ground/errors/message.ts'
import type { EngineHealth } from '../../ground/model/health.ts'
import type { ClickHouseAddress } from './address.ts'
import type { ClickHouse } from './clickhouse.ts'
import { connectionTo } from './connect.ts'
import { createEngine } from './engine.ts'
import { supervise } from './supervise.ts'

export interface EmbeddedOptions {
  readonly kind: 'embedded'
  readonly dataDir: string
  /** Where the engine's process answers; a Unix socket's path has at most 107 characters. */
  readonly socketPath: string
  /** What statements, merges and caches together may take. */
  readonly memoryBytes: number
  /** The longest that a query may run; 60 s by default. */
  readonly maxExecutionSeconds?: number
  readonly log: (line: string) => void
}

const startLimitMs = 30_000
const closeGraceMs = 15_000
const defaultMaxExecutionSeconds = 60
const readers = 4
/** What is stored and merged waits for what is answered. */
const niceness = 10

/** Where an embedded engine answers. */
export const embeddedAddress = (
  socketPath: string,
  maxExecutionSeconds = defaultMaxExecutionSeconds,
): ClickHouseAddress => ({ kind: 'embedded', socketPath, timeoutMs: (maxExecutionSeconds + 10) * 1000 })

/** ClickHouse in a process of its own on this machine: starts at once, in the background. */
export function createEmbedded(options: EmbeddedOptions): ClickHouse {
  if (Buffer.byteLength(options.socketPath) > 107) {
    throw new Error(`The path of ClickHouse's socket has more than 107 characters: ${options.socketPath}`)
  }
  const { maxExecutionSeconds = defaultMaxExecutionSeconds } = options
  const child = supervise({
    entry: './child/main',
    argument: JSON.stringify({
      dataDir: options.dataDir,
      socketPath: options.socketPath,
      memoryBytes: options.memoryBytes,
      maxExecutionSeconds,
      readers,
    }),
    // Its own heap is small: it passes bytes on. `gc` gives a burst's buffers back, see child/main.ts.
    flags: ['--expose-gc', '--max-semi-space-size=2', '--v8-pool-size=1'],
    niceness,
    // A thread for each session, and one for the file system.
    environment: {
      UV_THREADPOOL_SIZE: String(readers + 3),
      NODE_OPTIONS: '',
      TZ: 'UTC',
      // Without these, glibc keeps what the buffers of a burst took: 30 MB measured.
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '1048576',
      MALLOC_TRIM_THRESHOLD_: '1048576',
    },
    log: options.log,
  })
  const address = embeddedAddress(options.socketPath, maxExecutionSeconds)
  const { connection, close } = connectionTo(address)
  return createEngine({
    kind: 'embedded',
    address: () => address,
    connection: () => connection,
    accepting: () => child.up(startLimitMs),
    refused: () => child.upAgain(startLimitMs),
    async health(answers) {
      const state = child.state()
      const found = (word: EngineHealth['state'], detail: string): EngineHealth => ({
        name: 'clickhouse',
        state: word,
        detail,
        pid: state.kind === 'closed' ? null : state.pid,
      })
      if (state.kind === 'closed') return found('down', 'Closed.')
      if (state.kind === 'starting') {
        if (state.problem === null) return found('starting', 'Starting.')
        return found('down', `It does not stay up; it is started again. ${state.problem}`)
      }
      try {
        return found('up', `ClickHouse ${await answers()} (embedded), ${options.dataDir}`)
      } catch (error) {
        return found('down', `Its process does not answer. ${messageOf(error)}`)
      }
    },
    async close() {
      close()
      await child.close(closeGraceMs)
    },
  })
}

const endLimitMs = 15_000
const pollEveryMs = 20

/**
 * Waits for the engine of a parent that was killed, which ends its statements before itself. What copies or moves its
 * files must not meet it.
 *
 * @throws where it does not end in time
 */
export async function waitForStaleEngine(dataDir: string, limitMs = endLimitMs): Promise<void> {
  // The engine writes it at its start, and removes it at its end.
  const status = await readFile(join(dataDir, 'status'), 'utf8').catch(() => '')
  const pid = Number(/^PID: (\d+)/m.exec(status)?.[1] ?? 0)
  const limit = Date.now() + limitMs
  while (pid > 0 && (await isEngineOf(pid, dataDir))) {
    if (Date.now() > limit) throw new Error(`ClickHouse, process ${pid}, still works in ${dataDir}.`)
    await delay(pollEveryMs)
  }
}

/** The engine is told its folder on its command line. Without /proc there is nothing to know it by, and it is not waited for. */
async function isEngineOf(pid: number, dataDir: string): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return commandLine.includes(JSON.stringify(dataDir))
}
