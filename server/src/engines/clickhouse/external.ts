import { randomUUID } from 'node:crypto'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
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
    if (!answer.success) {
      options.log(`ClickHouse at ${host} does not answer: ${answer.error.message}`)
      throw new Error(`ClickHouse at ${host} does not answer. Check its URL and that it runs.`, { cause: answer.error })
    }
    const version = await versionOf(probe)
    if (isTooOld(version))
      throw new Error(`ClickHouse at ${host} is ${version}. Give one of ${oldestVersion} or newer.`)
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

/** Projections and their settings are of this version. */
export const oldestVersion = '24.8'

/** Whether a server's version is earlier than those that have all that tables and statements need. */
export function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = oldestVersion.split('.').map(Number)
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor)
}

const notChanged = 'Let the profile of its login change it, or have the value asked for.'
/** What to do, by ClickHouse's code: the setting is not known, the profile lets none be changed, or keeps this one as it is. */
const remedies: Readonly<Record<string, string>> = {
  115: `Give a server of version ${oldestVersion} or newer.`,
  164: notChanged,
  452: notChanged,
}

/** Why a server refused the settings that each request has, and what to do; null for another failure. */
export function explainRefusal(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const remedy = remedies[code]
  return remedy === undefined
    ? null
    : `ClickHouse refuses a setting that each request has: ${messageOf(error)} ${remedy}`
}

/** The first statement of a connection. @throws where the server refuses its settings, with what is to be done */
async function versionOf(client: ClickHouseClient): Promise<string> {
  try {
    const statement = { text: 'select version() as version', parameters: {} }
    const [row] = await queryRows<{ version: string }>(client, statement)
    return row?.version ?? ''
  } catch (cause) {
    const reason = explainRefusal(cause)
    throw reason === null ? cause : new Error(reason, { cause })
  }
}

/** Whether a server answers at a URL, to its login. @throws what it says instead */
export async function checkClickHouse(url: string): Promise<void> {
  const { connection } = connectionTo({ kind: 'external', url, timeoutMs: checkTimeoutMs })
  const client = createClient({ ...connection, log: { level: ClickHouseLogLevel.OFF } })
  try {
    await versionOf(client)
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
    await versionOf(client)
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
