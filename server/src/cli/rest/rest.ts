import { connectStandalone, type StandaloneDatabase } from '../../engines/postgres/index.ts'
import { messageOf } from '../../ground/errors/message.ts'
import {
  askReady,
  createServerLog,
  postgrestError,
  readAddress,
  readConfiguration,
  startRestServer,
} from '../../postgrest/index.ts'
import {
  askDatabase,
  dumpConfiguration,
  exampleConfiguration,
  protocolVersion,
  type ReferenceSettings,
  readSchemaCache,
  schemaCacheJson,
  withDatabaseSettings,
} from '../../services/rest/index.ts'
import { version } from '../../version.ts'
import { print } from '../print.ts'

export interface RestOptions {
  readonly version?: boolean
  readonly config?: string
  readonly dumpConfig?: boolean
  readonly dumpSchema?: boolean
  readonly example?: boolean
  readonly ready?: boolean
}

const write = (text: string): void => {
  process.stdout.write(text)
}

/**
 * Runs the REST service alone, as PostgREST is run: on an existing database, configured by PostgREST's own
 * file and variables.
 *
 * @param path the configuration file; the environment alone where none is given
 */
export async function rest(path: string | undefined, options: RestOptions): Promise<number> {
  if (options.version === true) {
    print(`PostgREST ${protocolVersion}, by Clew ${version}`)
    return 0
  }
  if (options.example === true) {
    write(exampleConfiguration())
    return 0
  }
  const input = { path: options.config ?? path ?? null, environment: process.env }
  const read = (): ReferenceSettings => readConfiguration(input)
  const settings = read()
  if (options.ready === true) return ready(settings)
  if (options.dumpConfig === true) return dump(settings)
  if (options.dumpSchema === true) return dumpSchema(settings)
  return serve(settings, read)
}

async function ready(settings: ReferenceSettings): Promise<number> {
  const { isReady, message } = await askReady(settings)
  if (isReady) print(message)
  else process.stderr.write(`${message}\n`)
  return isReady ? 0 : 1
}

async function dump(settings: ReferenceSettings): Promise<number> {
  write(dumpConfiguration(settings.config ? await withStandalone(settings, withDatabase) : settings))
  return 0
}

async function dumpSchema(configured: ReferenceSettings): Promise<number> {
  return withStandalone(configured, async (_settings, database) => {
    const settings = configured.config ? await withDatabase(configured, database) : configured
    print(schemaCacheJson(await readSchemaCache(database.sql, settings, null, new Date())))
    return 0
  })
}

/** Runs `read` on a new connection and closes it. */
async function withStandalone<T>(
  settings: ReferenceSettings,
  read: (settings: ReferenceSettings, database: StandaloneDatabase) => Promise<T>,
): Promise<T> {
  const database = connectStandalone({
    address: readAddress(settings),
    poolSize: 1,
    acquireTimeoutMs: 3_000,
    idleTimeoutMs: 0,
    maxLifetimeSeconds: 0,
    preparesStatements: false,
    applicationName: `PostgREST ${protocolVersion}`,
  })
  try {
    return await read(settings, database)
  } finally {
    await database.close()
  }
}

/** The settings with those of the database; unchanged where the database cannot be reached. */
async function withDatabase(settings: ReferenceSettings, database: StandaloneDatabase): Promise<ReferenceSettings> {
  const fromDatabase = await askDatabase(database.sql, null, settings.preConfig).catch((error: unknown) => {
    process.stderr.write(`The database could not be asked: ${messageOf(error)}\n`)
    return new Map<string, string>()
  })
  const { settings: known, problems } = withDatabaseSettings(settings, fromDatabase)
  if (problems.length > 0) throw postgrestError('CLEW_REST_CONFIGURATION', { message: problems.join('\n') })
  return { ...settings, ...known }
}

async function serve(settings: ReferenceSettings, reread: () => ReferenceSettings): Promise<number> {
  let current = settings
  const log = createServerLog({
    settings: () => current,
    now: () => new Date(),
    out: write,
    err: (line) => process.stderr.write(line),
  })
  log.info(`Starting PostgREST ${protocolVersion}... (Clew ${version})`)
  const ended = awaitEnd((signal) => log.info(`Received termination unix signal ${signal}`))
  const server = await startRestServer({
    settings,
    reread() {
      current = reread()
      return current
    },
    log,
    onLost: () => ended.end(1),
  })
  process.on('SIGUSR1', () => server.reload('schema'))
  process.on('SIGUSR2', () => server.reload('config'))
  const code = await ended.promise
  await server.close()
  return code
}

/** Resolves with the exit code at the first SIGINT or SIGTERM, or when `end` is called. */
function awaitEnd(onSignal: (signal: NodeJS.Signals) => void): {
  readonly promise: Promise<number>
  readonly end: (code: number) => void
} {
  let end: (code: number) => void = () => undefined
  const promise = new Promise<number>((resolve) => {
    end = resolve
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      onSignal(signal)
      end(0)
    })
  }
  return { promise, end }
}
