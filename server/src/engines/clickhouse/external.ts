import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { messageOf } from '../../ground/errors/message.ts'
import type { ClickHouse } from './clickhouse.ts'
import { connectionTo } from './connect.ts'
import { createEngine } from './engine.ts'

export interface ExternalOptions {
  readonly kind: 'external'
  /** `http(s)://user:password@host:8123`; asked for again when it is renewed, with another login. */
  readonly url: () => string
  readonly log: (line: string) => void
}

const checkTimeoutMs = 10_000

/** A ClickHouse server by URL. */
export function createExternal(options: ExternalOptions): ClickHouse {
  const address = () => ({ kind: 'external', url: options.url(), timeoutMs: 70_000 }) as const
  const connection = () => connectionTo(address()).connection
  const { host } = new URL(options.url())
  const probe = createClient({ ...connection(), log: { level: ClickHouseLogLevel.OFF } })
  const ping = async (): Promise<void> => {
    const answer = await probe.ping()
    if (answer.success) return
    options.log(`ClickHouse at ${host} does not answer: ${answer.error.message}`)
    throw new Error(`ClickHouse at ${host} does not answer. Check its URL and that it runs.`, { cause: answer.error })
  }
  let answered: Promise<void> | null = null
  return createEngine({
    kind: 'external',
    address,
    connection,
    accepting() {
      // Asked until it has answered once; later failures are those of the statements themselves.
      answered ??= ping().catch((error: unknown) => {
        answered = null
        throw error
      })
      return answered
    },
    refused: (failure) => Promise.reject(failure),
    async health(answers) {
      try {
        const detail = `ClickHouse ${await answers()} at ${host}`
        return { name: 'clickhouse', state: 'up', detail, pid: null }
      } catch (error) {
        const detail = `ClickHouse at ${host} does not answer: ${messageOf(error)}`
        return { name: 'clickhouse', state: 'down', detail, pid: null }
      }
    },
    close: () => probe.close(),
  })
}

/** Whether a server answers at a URL, to its login. @throws what it says instead */
export async function checkClickHouse(url: string): Promise<void> {
  const { connection } = connectionTo({ kind: 'external', url, timeoutMs: checkTimeoutMs })
  const client = createClient({ ...connection, log: { level: ClickHouseLogLevel.OFF } })
  try {
    await client.command({ query: 'select 1' })
  } finally {
    await client.close()
  }
}
