import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../ground/errors/message.ts'
import type { ClickHouse } from './clickhouse.ts'
import { connectionTo } from './connect.ts'
import { embeddedAddress } from './embedded.ts'
import { createEngine } from './engine.ts'

/** An embedded engine that another process has started and stays with. */
export interface AttachedOptions {
  readonly kind: 'attached'
  readonly socketPath: string
  /** As it was started with. */
  readonly maxExecutionSeconds?: number
}

const startLimitMs = 30_000
const againMs = 50

/** The embedded engine of another process. */
export function createAttached({ socketPath, maxExecutionSeconds }: AttachedOptions): ClickHouse {
  const address = embeddedAddress(socketPath, maxExecutionSeconds)
  const { connection, close } = connectionTo(address)
  let up: Promise<void> | null = null
  const accepting = (): Promise<void> => {
    up ??= untilListens(socketPath).catch((error: unknown) => {
      up = null
      throw error
    })
    return up
  }
  return createEngine({
    kind: 'embedded',
    address: () => address,
    connection: () => connection,
    accepting,
    refused() {
      // It is being started again.
      up = null
      return accepting()
    },
    async health(answers) {
      try {
        return { name: 'clickhouse', state: 'up', detail: `ClickHouse ${await answers()} (embedded)`, pid: null }
      } catch (error) {
        return { name: 'clickhouse', state: 'down', detail: `It does not answer. ${messageOf(error)}`, pid: null }
      }
    },
    close: async () => close(),
  })
}

async function untilListens(socketPath: string): Promise<void> {
  const endsAtMs = performance.now() + startLimitMs
  for (;;) {
    const failure = await tryConnect(socketPath)
    if (failure === null) return
    if (performance.now() > endsAtMs)
      throw new Error(`ClickHouse does not answer on ${socketPath}.`, { cause: failure })
    await delay(againMs)
  }
}

const tryConnect = (socketPath: string): Promise<Error | null> =>
  new Promise((resolve) => {
    const socket = connect(socketPath)
    socket.once('connect', () => {
      socket.destroy()
      resolve(null)
    })
    socket.once('error', resolve)
  })
