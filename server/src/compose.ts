import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { createClickHouse } from './engines/clickhouse/index.ts'
import { createInbox, inboxPlugin, mailMigrations } from './engines/mail/index.ts'
import { createPostgres } from './engines/postgres/index.ts'
import { consolePlugin, createCallerFinder, createGateway, createInboxGateway } from './gateway/index.ts'
import { equalInConstantTime } from './ground/ids/constant-time.ts'
import { uuidv7 } from './ground/ids/uuidv7.ts'
import { createTokenVerifier } from './ground/jwt/verify.ts'
import type { EngineHealth } from './ground/model/health.ts'
import type { Directory } from './instance/directory.ts'
import { instanceError } from './instance/errors.ts'
import type { InstanceKeys } from './instance/keys.ts'
import { applyProject } from './instance/project.ts'
import { analyticsMigrations, capturePlugin, createAnalytics } from './services/analytics/index.ts'
import { authMigrations, authPlugin, authSettings, createAuth } from './services/auth/index.ts'
import { createOperators, operatorsMigrations, operatorsOnly, operatorsPlugin } from './services/operators/index.ts'
import { createReplay, replayMigrations } from './services/replay/index.ts'
import { createRest, restConsole, restPlugin } from './services/rest/index.ts'
import { createThread, threadConsole, threadMigrations } from './services/thread/index.ts'
import type { Settings } from './settings.ts'
import { version } from './version.ts'

export interface ComposeInput {
  readonly settings: Settings
  readonly directory: Directory
  readonly keys: InstanceKeys
  readonly report: (line: string) => void
  readonly log: (line: string) => void
  /** What was opened is pushed here as it is opened, so that whoever started can close it in reverse. */
  readonly opened: (() => Promise<void>)[]
}

/** The house, standing and listening. */
export interface House {
  readonly apiUrl: string
  readonly inboxUrl: string
  readonly dbUrl: string | null
  /** The same for many eyes: without its password, unless that is the one everybody knows. */
  readonly shownDbUrl: string | null
  readonly exampleUrl: string | null
  readonly setupUrl: string | null
  readonly health: () => Promise<readonly EngineHealth[]>
}

const now = (): Date => new Date()
const newId = (): string => uuidv7()
const tokensRemembered = 10_000
/** Compiled, this file stands beside the built console; run from its source, the console is in `dist` all the same. */
const isBuilt = import.meta.url.endsWith('.js')

/** Makes every room and joins them: the one place that knows everybody. */
export async function compose({ settings, directory, keys, report, log, opened }: ComposeInput): Promise<House> {
  const { instance } = settings
  const output = pino.destination({ fd: 2, sync: false })
  // Nobody may read it any more; that is no reason to end.
  output.on('error', () => undefined)
  const logger = pino({ level: 'warn' }, output)
  const since = stopwatch()

  const clickhouse = createClickHouse(
    instance.clickhouse_url === null
      ? {
          kind: 'embedded',
          dataDir: directory.clickhouse,
          socketPath: join(directory.sockets, 'clickhouse.sock'),
          memoryBytes: instance.clickhouse_memory_mib * 1024 ** 2,
          log,
        }
      : { kind: 'external', url: instance.clickhouse_url, log },
  )
  opened.push(() => clickhouse.close())
  const tables = (async () => {
    await clickhouse.migrate('analytics', analyticsMigrations.clickhouse)
    await clickhouse.migrate('replay', replayMigrations)
    await clickhouse.migrate('thread', threadMigrations.clickhouse)
    report(`${(await clickhouse.health()).detail.split(',')[0]} ${since()}`)
  })()
  // Awaited below, after PostgreSQL, which may fail first.
  tables.catch(() => undefined)

  const postgres = await createPostgres({
    ...(instance.database_url === null
      ? {
          kind: 'embedded',
          dataDir: directory.postgres,
          socketDir: join(directory.sockets, 'postgres'),
          port: instance.db_port === 0 ? null : instance.db_port,
          password: keys.databasePassword,
        }
      : { kind: 'external', url: instance.database_url }),
    exposedSchemas: settings.rest.schemas,
    poolSize: instance.pool_size,
    log,
  })
  opened.push(() => postgres.close())
  report(`${(await postgres.health()).detail.split(',')[0]} ${since()}`)
  const { admin: sql } = postgres
  await postgres.migrate('auth', authMigrations)
  await postgres.migrate('mail', mailMigrations)
  await postgres.migrate('operators', operatorsMigrations)
  await postgres.migrate('analytics', analyticsMigrations.postgres)
  await postgres.migrate('thread', threadMigrations.postgres)
  if (instance.project !== null) {
    const applied = await applyProject({ folder: instance.project, admin: sql, owner: postgres.owner, log })
    const done = [
      ...(applied.migrations === 0 ? [] : [`${applied.migrations} migration${applied.migrations === 1 ? '' : 's'}`]),
      ...(applied.seeded ? ['the seed'] : []),
    ]
    if (done.length > 0) report(`${done.join(' and ')} applied ${since()}`)
  }

  const port = instance.port === 0 ? await freePort(instance.host) : instance.port
  const url = instance.public_url ?? `http://${urlHost(instance.host)}:${port}`
  const inbox = createInbox({ sql, now, newId, settings: settings.mail })
  const auth = createAuth({
    sql,
    mail: inbox,
    keys: keys.tokens,
    now,
    newId,
    settings: {
      ...settings.auth,
      externalUrl: given(settings.auth.externalUrl, authSettings.externalUrl.default) ?? `${url}/auth/v1`,
      rateLimitByAddress: settings.auth.rateLimitByAddress || instance.production,
      siteUrl: given(settings.auth.siteUrl, authSettings.siteUrl.default) ?? url,
    },
  })
  const rest = await createRest({
    session: postgres.session,
    sql,
    listen: postgres.listen,
    settings: settings.rest,
    now,
    log: logger,
  })
  opened.push(() => rest.close())
  await tables
  const replay = createReplay({ clickhouse, settings: settings.replay })
  const analytics = await createAnalytics({
    sql,
    clickhouse,
    spoolDir: directory.spool,
    ingestTokens: [keys.ingestToken],
    isSecretKey: (key) => equalInConstantTime(key, keys.api.secretKey),
    recordings: replay,
    now,
    newId,
    settings: settings.analytics,
    log: logger,
  })
  opened.push(() => analytics.close())
  const thread = await createThread({
    sql,
    clickhouse,
    now,
    settings: settings.thread,
    log: logger,
    recordings: replay,
    events: analytics.events,
    people: {
      byDistinctId: analytics.personsByDistinctId,
      distinctIdsMatching: analytics.distinctIdsMatching,
      linkUser: async ({ distinctId, userId, at }) => {
        const email = (await auth.users([userId])).get(userId)?.email ?? null
        await analytics.linkUser({ distinctId, userId, at, email })
      },
    },
    users: { byId: auth.users, idsMatching: auth.userIdsMatching },
  })
  opened.push(() => thread.close())
  const unsubscribe = postgres.changes.subscribe(thread.rowsChanged, { ahead: true })
  opened.push(async () => unsubscribe())
  const operators = createOperators({
    sql,
    now,
    newId,
    settings: settings.operators,
    project: instance.name ?? 'Clew',
    secureCookie: url.startsWith('https:'),
  })

  // Whoever reads the inbox can sign in as anybody: on a machine that others reach it is the operators' alone.
  const inboxPath = instance.production ? '/console/inbox' : '/inbox'
  const inboxPages = instance.production ? operatorsOnly(operators, inboxPlugin(inbox)) : inboxPlugin(inbox)

  const health = async (): Promise<readonly EngineHealth[]> => [
    await postgres.health(),
    await clickhouse.health(),
    postgres.changes.health(),
  ]
  const everybodyKnows = !instance.production && instance.database_url === null
  const shownDbUrl = postgres.url === null || everybodyKnows ? postgres.url : withoutPassword(postgres.url)
  const exampleUrl = instance.public === null ? null : `${url}/`
  const facts = {
    project: instance.name ?? 'Clew',
    mode: instance.production ? 'production' : 'local',
    version,
    apiUrl: url,
    inboxUrl: `${url}${inboxPath}`,
    dbUrl: shownDbUrl,
    exampleUrl,
    publishableKey: keys.api.publishableKey,
    anonKey: keys.api.anonKey,
    ingestToken: keys.ingestToken,
    hostname: new URL(url).hostname,
  } as const

  const openPaths = /^\/(verify|callback|authorize|health|oauth\/authorize|sso\/saml\/|\.well-known\/)/
  const never = (): boolean => false
  const gateway = await createGateway({
    newId,
    now,
    findCaller: createCallerFinder({
      verify: createTokenVerifier({ keys: keys.tokens, now, cacheSize: tokensRemembered, clockSkewSeconds: 0 }),
      publishableKey: keys.api.publishableKey,
      secretKey: keys.api.secretKey,
      keyRequired: instance.production,
    }),
    tagRequest: thread.tagRequest,
    mounts: [
      { prefix: '/rest/v1', service: 'rest', plugin: restPlugin(rest), needsKey: () => true },
      { prefix: '/auth/v1', service: 'auth', plugin: authPlugin(auth), needsKey: (path) => !openPaths.test(path) },
      { prefix: '/ingest', service: null, plugin: capturePlugin(analytics), needsKey: never },
      { prefix: inboxPath, service: null, plugin: inboxPages, needsKey: never },
      {
        prefix: '/console/api',
        service: null,
        plugin: consolePlugin({
          open: operatorsPlugin(operators),
          guard: operators.guard,
          parts: [threadConsole(thread), restConsole(rest)],
          facts,
          health,
        }),
        needsKey: never,
      },
    ],
    health,
    requestEnded: thread.requestEnded,
    gauges: [
      {
        name: 'clew_spool_waiting_bytes',
        help: 'Captured events and recordings that are durable but not stored yet',
        read: () => analytics.waiting().bytes,
      },
      {
        name: 'clew_thread_waiting_requests',
        help: 'Finished requests that are not stored yet',
        read: () => thread.gauges().waitingRequests,
      },
      {
        name: 'clew_thread_dropped_requests',
        help: 'Finished requests lost because ClickHouse did not answer for too long',
        read: () => thread.gauges().droppedRequests,
      },
    ],
    publicFolder: instance.public,
    consoleFolder: fileURLToPath(new URL(isBuilt ? './console/' : '../dist/console/', import.meta.url)),
    trustedProxies: instance.trusted_proxies,
    log: logger,
  })
  await listen(gateway, instance.host, port)
  opened.push(() => gateway.close())
  if (instance.inbox_port !== null && !instance.production) {
    const inboxGateway = await createInboxGateway(inboxPages, logger)
    await listen(inboxGateway, instance.host, instance.inbox_port)
    opened.push(() => inboxGateway.close())
  }
  const link = await operators.setupLink()
  return {
    apiUrl: url,
    inboxUrl:
      instance.inbox_port === null || instance.production
        ? facts.inboxUrl
        : `http://${urlHost(instance.host)}:${instance.inbox_port}`,
    dbUrl: postgres.url,
    shownDbUrl,
    exampleUrl,
    setupUrl: link === null ? null : `${url}/console/welcome?token=${link}`,
    health,
  }
}

/** A setting's value where somebody gave one other than the default, which cannot know this instance's address. */
const given = (value: string, unset: string): string | null => (value === unset ? null : value)

const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)

function withoutPassword(url: string): string {
  const shown = new URL(url)
  shown.password = ''
  return shown.href
}

async function listen(app: FastifyInstance, host: string, port: number): Promise<void> {
  try {
    await app.listen({ host, port })
  } catch (cause) {
    await app.close()
    if ((cause as { code?: unknown }).code !== 'EADDRINUSE') throw cause
    throw instanceError('CLEW_START_PORT', { message: `Port ${port} on ${host} is already taken.`, cause })
  }
}

/** Seconds since it was made, as a person reads them. */
function stopwatch(): () => string {
  const startedAt = performance.now()
  return () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
}

function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, host, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
