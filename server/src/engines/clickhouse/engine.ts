import {
  type ClickHouseClient,
  type ClickHouseClientConfigOptions,
  ClickHouseLogLevel,
  createClient,
} from '@clickhouse/client'
import type { EngineHealth } from '../../ground/model/health.ts'
import type { ClickHouseAddress } from './address.ts'
import type { ClickHouse } from './clickhouse.ts'
import { createInsert, type InsertLines } from './insert.ts'
import { migrate } from './migrate/migrate.ts'
import { queryRows, readTable, runCommand, streamBytes, streamTexts } from './query.ts'

/** The database that holds everything of ours. */
const usualDatabase = 'clew'
/** Shorter than the five seconds that a container's health check waits. */
const answerLimitMs = 4000

/** Where ClickHouse is, and how to know whether it serves. */
export interface Endpoint {
  readonly kind: ClickHouse['kind']
  /** Where tables are; `clew` where nothing is said. */
  readonly database?: string
  readonly address: () => ClickHouseAddress
  /** Asked for again when it is renewed: with another login. */
  readonly connection: () => ClickHouseClientConfigOptions
  /** Waits until the endpoint accepts connections; rejects when it does not within its limit. */
  readonly accepting: () => Promise<void>
  /** After a connection was refused: resolves when it is worth another try, or throws the failure. */
  readonly refused: (failure: unknown) => Promise<void>
  /** `answers` resolves to the version when the endpoint answers. */
  readonly health: (answers: () => Promise<string>) => Promise<EngineHealth>
  readonly close: () => Promise<void>
}

interface Clients {
  readonly client: ClickHouseClient
  readonly insertLines: InsertLines
  /** Names no database: ours need not exist yet. */
  readonly anywhere: ClickHouseClient
}

function openClients(connection: ClickHouseClientConfigOptions, database: string): Clients {
  const shared: ClickHouseClientConfigOptions = {
    ...connection,
    application: 'clew',
    compression: { request: false, response: false },
    // An address holds some 16 KiB: more values than it has room for travel in the body.
    use_multipart_params_auto: true,
    // Errors reach the caller; the client need not print them as well.
    log: { level: ClickHouseLogLevel.OFF },
  }
  const client = createClient({ ...shared, database })
  return {
    client,
    insertLines: createInsert(client),
    // It keeps no connection: a client ends one that it knows when that was idle for long, by a clock that another client's
    // statements on it do not stop.
    anywhere: createClient({ ...shared, keep_alive: { enabled: false } }),
  }
}

/** ClickHouse behind an endpoint: one client and one set of statements, wherever it runs. */
export function createEngine(endpoint: Endpoint): ClickHouse {
  const { database = usualDatabase } = endpoint
  let clients = openClients(endpoint.connection(), database)
  /** Statements may still run on those of before; what they keep open ends when it is idle. */
  const former: Clients[] = []
  let created: Promise<string> | null = null

  /** Resolves to the version. */
  const createDatabase = async (): Promise<string> => {
    await endpoint.accepting()
    await clients.anywhere.command({ query: `create database if not exists ${database}` })
    const statement = { text: 'select version() as version', parameters: {} }
    const [row] = await queryRows<{ version: string }>(clients.client, statement)
    return row?.version ?? ''
  }
  const open = (): Promise<string> => {
    created ??= createDatabase().catch((error: unknown) => {
      created = null
      throw error
    })
    return created
  }
  const ready = async (): Promise<void> => {
    await open()
    await endpoint.accepting()
  }
  /** Runs `work`; again when its connection was refused, for then no statement has reached the engine. */
  const reach = async <T>(work: () => Promise<T>): Promise<T> => {
    await ready()
    try {
      return await work()
    } catch (error) {
      if (!isRefused(error)) throw error
      await endpoint.refused(error)
      return work()
    }
  }
  /** Asks without a statement, which could have to wait behind others; an engine that hangs is told apart from a slow one. */
  const answers = async (): Promise<string> => {
    const limit = AbortSignal.timeout(answerLimitMs)
    const answer = await clients.client.ping({ select: false, abort_signal: limit })
    if (limit.aborted) throw new Error(`no answer in ${answerLimitMs} ms`)
    if (!answer.success) throw answer.error
    return open()
  }

  const engine: ClickHouse = {
    kind: endpoint.kind,
    get address() {
      return endpoint.address()
    },
    ready,
    query: <Row>(...[statement, signal]: Parameters<ClickHouse['query']>) =>
      reach(() => queryRows<Row>(clients.client, statement, signal)),
    streamTexts: (statement, options) => streamTexts(reach, () => clients.client, statement, options),
    readTable: (question) => reach(() => readTable(clients.client, question)),
    streamBytes: (statement) => reach(() => streamBytes(clients.client, statement)),
    insertLines: (table, lines, options) => reach(() => clients.insertLines(table, lines, options)),
    insert: (table, rows, options) => engine.insertLines(table, rows.map(toJson), options),
    command: (statement) => reach(() => runCommand(clients.client, statement)),
    migrate: (room, folder, tell) => migrate(engine, room, folder, tell),
    health: () => endpoint.health(answers),
    renew() {
      former.push(clients)
      clients = openClients(endpoint.connection(), database)
    },
    async close() {
      await Promise.all([...former, clients].flatMap(({ client, anywhere }) => [client.close(), anywhere.close()]))
      await endpoint.close()
    },
  }
  return engine
}

const toJson = (row: object): string => JSON.stringify(row)

function isRefused(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return code === 'ECONNREFUSED' || code === 'ENOENT'
}
