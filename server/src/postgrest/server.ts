import { existsSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { connectStandalone, type StandaloneDatabase } from '../engines/postgres/index.ts'
import { createThreads } from '../engines/threads/index.ts'
import {
  createRest,
  protocolVersion,
  type ReferenceSettings,
  type Rest,
  type RestDeps,
  schemaCacheJson,
} from '../services/rest/index.ts'
import { createAdmin, type Gauges } from './admin.ts'
import { createApp } from './app.ts'
import { checkDatabase } from './check-database.ts'
import { readAddress } from './configuration.ts'
import { isAnyHost, type ListenAddress, listenAt } from './listen.ts'
import type { ServerLog } from './log.ts'

export interface ServerInput {
  readonly settings: ReferenceSettings
  /** Reads the configuration anew. @throws what is wrong with it */
  readonly reread: () => ReferenceSettings
  readonly log: ServerLog
  /** Called when the database is lost and is not to be waited for. */
  readonly onLost: () => void
}

/** The REST service alone, listening. */
export interface RestServer {
  readonly address: string
  readonly adminAddress: string | null
  /** Reads the schema anew, or the configuration too. */
  reload(why: 'schema' | 'config'): void
  close(): Promise<void>
}

const now = (): Date => new Date()

const connect = (settings: ReferenceSettings): StandaloneDatabase =>
  connectStandalone({
    address: readAddress(settings),
    poolSize: settings.poolSize ?? 10,
    acquireTimeoutMs: settings.poolAcquisitionTimeout * 1000,
    idleTimeoutMs: settings.poolMaxIdletime * 1000,
    maxLifetimeSeconds: settings.poolMaxLifetime,
    preparesStatements: settings.preparedStatements,
    applicationName: `PostgREST ${protocolVersion}`,
  })

const mainAddress = (settings: ReferenceSettings): ListenAddress => ({
  host: settings.serverHost,
  port: settings.serverPort,
  socket: settings.serverUnixSocket,
  mode: settings.serverUnixSocketMode,
  reusePort: settings.serverReuseport,
})

function adminAddress(settings: ReferenceSettings): ListenAddress | null {
  const { adminServerPort: port, adminServerUnixSocket: socket } = settings
  if (port === null && socket === null) return null
  return { host: settings.adminServerHost, port: port ?? 0, socket, mode: settings.adminServerUnixSocketMode }
}

/** Starts the service on an existing database. */
export async function startRestServer(input: ServerInput): Promise<RestServer> {
  const { settings, log } = input
  const database = connect(settings)
  const opened: (() => Promise<unknown>)[] = [() => database.close()]
  const close = async (): Promise<void> => {
    for (const one of opened.splice(0).reverse()) await one()
  }
  let rest: Rest | null = null
  let app: FastifyInstance | null = null
  let timeouts = 0
  const isLive = (): boolean =>
    app?.server.listening === true && (settings.serverUnixSocket === null || existsSync(settings.serverUnixSocket))
  const gauges = (): Gauges => {
    const { available, waiting } = database.gauges()
    const loads = rest?.schema.loads() ?? { succeeded: 0, failed: 0, lastSeconds: 0 }
    return {
      poolMax: settings.poolSize ?? 10,
      poolAvailable: available,
      poolWaiting: waiting,
      poolTimeouts: timeouts,
      loadsSucceeded: loads.succeeded,
      loadsFailed: loads.failed,
      lastLoadSeconds: loads.lastSeconds,
    }
  }
  try {
    const admin = await startAdmin(settings, {
      isLive,
      isReady: () => rest?.schema.ready() === true,
      schemaCache: () => schemaCacheJson(rest?.schema.loaded() ?? null),
      gauges,
    })
    if (admin !== null) opened.push(admin.close)
    if (admin !== null) log.info(`Admin server listening on ${admin.address}`)
    const version = await checkDatabase(database, settings.poolAutomaticRecovery, log)
    if (version !== null) log.info(`Successfully connected to PostgreSQL ${version}`)
    const threads = createThreads()
    opened.push(() => threads.close())
    const made = await createRest({
      threads,
      session: database.session,
      sql: database.sql,
      listen: listenAloud(database, input),
      settings,
      reread: input.reread,
      loginRole: null,
      alone: true,
      address: addressOf(settings),
      now,
      log,
    })
    rest = made
    opened.push(() => made.close())
    app = createApp(made, log, (code) => {
      if (code === 'PGRST003') timeouts += 1
    })
    const serving = app
    opened.push(() => serving.close())
    const address = await listenAt(serving, mainAddress(settings))
    log.info(`API server listening on ${address}`)
    return {
      address,
      adminAddress: admin?.address ?? null,
      reload: (why) => {
        made.schema.reload(why).catch(() => undefined)
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** What the description of the API names where no proxy's address is configured. */
const addressOf = ({ serverHost: host, serverPort: port }: ReferenceSettings): RestDeps['address'] & object => ({
  scheme: 'http',
  host: isAnyHost(host) ? '0.0.0.0' : host,
  port,
  basePath: '/',
})

/** Listens, and says how that goes. */
const listenAloud =
  (database: StandaloneDatabase, { settings, log, onLost: onGone }: ServerInput): RestDeps['listen'] =>
  (channel, onNotify, onConnect, onLost) => {
    const found = (): void => {
      const where = `"${database.address}" and listening for database notifications on the "${channel}" channel`
      log.info(`Listener connected to PostgreSQL on ${where}`)
      onConnect?.()
    }
    const lost = (reason: string): void => {
      log.warn(`Failed listening for database notifications on the "${channel}" channel. ${reason}`)
      onLost?.()
      if (!settings.poolAutomaticRecovery) onGone()
    }
    return database.listen(channel, onNotify, found, lost)
  }

async function startAdmin(settings: ReferenceSettings, watched: Parameters<typeof createAdmin>[0]) {
  const place = adminAddress(settings)
  if (place === null) return null
  const app = createAdmin(watched)
  const address = await listenAt(app, place)
  return { address, close: () => app.close() }
}
