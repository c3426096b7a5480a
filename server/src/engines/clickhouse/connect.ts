import { Agent, type AgentOptions } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClickHouseClientConfigOptions } from '@clickhouse/client'
import type { ClickHouseAddress } from './address.ts'
import type { ClickHouse } from './clickhouse.ts'
import { createEngine } from './engine.ts'
import { statementSettings } from './statement-settings.ts'

const idleTtlMs = 30_000
const refusedPauseMs = 500

/** What the client needs for an address, and what it leaves to be closed. */
export function connectionTo(address: ClickHouseAddress): {
  readonly connection: ClickHouseClientConfigOptions
  readonly close: () => void
} {
  if (address.kind === 'external')
    return {
      connection: {
        ...{ url: address.url, request_timeout: address.timeoutMs },
        clickhouse_settings: statementSettings,
      },
      close: () => undefined,
    }
  // `http.request` reads socketPath from its agent's options; Node's types leave it out.
  const options: AgentOptions & { socketPath: string } = {
    socketPath: address.socketPath,
    keepAlive: true,
    maxSockets: 64,
  }
  const agent = new Agent(options)
  return {
    connection: {
      url: 'http://localhost',
      http_agent: agent,
      request_timeout: address.timeoutMs,
      keep_alive: { enabled: true, idle_socket_ttl: idleTtlMs },
    },
    close: () => agent.destroy(),
  }
}

/** A client of a ClickHouse that is started, or reached, elsewhere in this process. */
export function connectClickHouse(
  address: ClickHouseAddress,
): Pick<ClickHouse, 'kind' | 'query' | 'command' | 'insertLines' | 'streamBytes' | 'close'> {
  const { connection, close } = connectionTo(address)
  return createEngine({
    kind: address.kind,
    address: () => address,
    connection: () => connection,
    accepting: async () => undefined,
    // It may be started again just now.
    refused: async () => {
      await delay(refusedPauseMs)
    },
    health: async (answers) => ({ name: 'clickhouse', state: 'up', detail: await answers(), pid: null }),
    close: async () => close(),
  })
}
