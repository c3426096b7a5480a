import { randomUUID } from 'node:crypto'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { messageOf } from '../../ground/errors/message.ts'
import { compileClickHouse } from '../../ground/sql/clickhouse.ts'
import { identifier, sql } from '../../ground/sql/sql.ts'
import type { ClickHouse } from './clickhouse.ts'
import { connectionTo } from './connect.ts'
import { createEngine } from './engine.ts'
import { queryRows } from './query.ts'

export interface ExternalOptions {
  readonly kind: 'external'
  /** Where tables are; `clew` where nothing is said. */
  readonly database?: string
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
    ...(options.database !== undefined && { database: options.database }),
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

/** What answers at a URL. */
export interface FoundServers {
  readonly version: string
  /** How many servers: each keeps what it is given for itself. */
  readonly servers: number
}

/** How often the server is asked who it is, each time on a new connection, which may lead to another server. */
const looks = 12

/** A server is known by its host, its UUID, and those of its databases. */
const whoAnswers = `
  select version() as version, toString(tuple(hostName(), serverUUID(),
    (select arraySort(groupArray(uuid)) from system.databases))) as server`

/** Which servers answer at a URL, to its login; nothing is changed there. @throws what one of them says instead */
export async function findServers(url: string): Promise<FoundServers> {
  const { connection } = connectionTo({ kind: 'external', url, timeoutMs: checkTimeoutMs })
  const client = createClient({
    ...connection,
    keep_alive: { enabled: false },
    log: { level: ClickHouseLogLevel.OFF },
  })
  const statement = { text: whoAnswers, parameters: {} }
  try {
    const found = await Promise.all(
      Array.from({ length: looks }, () => queryRows<{ version: string; server: string }>(client, statement)),
    )
    const rows = found.flat()
    return { version: rows[0]?.version ?? '', servers: new Set(rows.map(({ server }) => server)).size }
  } finally {
    await client.close()
  }
}

/**
 * Makes tables in a database of their own, uses them, and drops it.
 *
 * @throws what the server says instead
 */
export async function tryTables(url: string, use: (engine: ClickHouse) => Promise<void>): Promise<void> {
  const database = `clew_doctor_${randomUUID().replaceAll('-', '')}`
  const engine = createExternal({ kind: 'external', database, url: () => url, log: () => undefined })
  const drop = (): Promise<void> =>
    engine.command(compileClickHouse(sql`drop database if exists ${identifier(database)} sync`))
  try {
    await engine.ready()
    await use(engine).catch(async (error: unknown) => {
      // Its reason is the one to tell, also where the database cannot be dropped.
      await drop().catch(() => undefined)
      throw error
    })
    await drop()
  } finally {
    await engine.close()
  }
}
