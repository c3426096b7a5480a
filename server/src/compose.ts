import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { planAddresses } from './addresses.ts'
import { createChangeWorker } from './change-worker/index.ts'
import { createClickHouse } from './engines/clickhouse/index.ts'
import { createMailer, headersOf } from './engines/mail/index.ts'
import { createPostgres, withoutPassword } from './engines/postgres/index.ts'
import { createRefusedRows } from './engines/spool/index.ts'
import { createThreads } from './engines/threads/index.ts'
import {
  consolePlugin,
  createCallerFinder,
  createConsoleServer,
  createGateway,
  createHostCheck,
  createMetrics,
  createPageCheck,
  createProxyCheck,
  type Mount,
} from './gateway/index.ts'
import { equalInConstantTime } from './ground/ids/constant-time.ts'
import { deriveKey } from './ground/ids/derive-key.ts'
import { uuidv7 } from './ground/ids/uuidv7.ts'
import { createTokenVerifier } from './ground/jwt/verify.ts'
import type { EngineHealth } from './ground/model/health.ts'
import type { Directory } from './instance/directory.ts'
import { diskHealth } from './instance/disk.ts'
import { instanceError } from './instance/errors.ts'
import type { InstanceKeys } from './instance/keys.ts'
import { applyProject } from './instance/project.ts'
import { createSample, type LoadedSample } from './instance/sample/sample.ts'
import { listen } from './listening.ts'
import { localOrigins, originsOf } from './origins.ts'
import {
  analyticsMigrations,
  analyticsPeopleTables,
  capturePlugin,
  createAnalytics,
} from './services/analytics/index.ts'
import {
  type AuthDeps,
  authDiscoveryPlugin,
  authMigrations,
  authPeopleTables,
  authPlugin,
  authSettings,
  createAuth,
  createSmsProvider,
  createTrustedIssuers,
  settleAuthSettings,
} from './services/auth/index.ts'
import { createInbox, type Inbox, inboxMigrations, inboxPlugin, textMessage } from './services/inbox/index.ts'
import {
  accessPlugin,
  createOperators,
  operatorsMigrations,
  operatorsOnly,
  operatorsPlugin,
  sessionCookieNames,
} from './services/operators/index.ts'
import { createReplay, replayMigrations } from './services/replay/index.ts'
import { createRest, restConsole, restPlugin } from './services/rest/index.ts'
import { createThread, threadConsole, threadMigrations, threadPeopleTables } from './services/thread/index.ts'
import type { Settings } from './settings/index.ts'
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
  readonly consoleUrl: string
  readonly inboxUrl: string
  readonly dbUrl: string | null
  /** The same for many eyes: without its password, unless that is the one everybody knows. */
  readonly shownDbUrl: string | null
  readonly exampleUrl: string | null
  /** Makes the link that creates the owner, which ends the one before; null when there is an owner. */
  readonly ownerLink: () => Promise<string | null>
  /** The process's numbers in Prometheus' text format. */
  readonly metrics: () => Promise<string>
  readonly health: () => Promise<readonly EngineHealth[]>
  /** Loads what is still to load of the project's sample; null when nothing is. */
  readonly loadSample: () => Promise<LoadedSample | null>
  /** Takes the second factors of an operator away; false when there is no such account. */
  readonly resetFactors: (email: string) => Promise<boolean>
}

const now = (): Date => new Date()
const newId = (): string => uuidv7()
const tokensRemembered = 10_000
const instanceMigrations = new URL('./instance/migrations/', import.meta.url)
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
    instance.clickhouseUrl === null
      ? {
          kind: 'embedded',
          dataDir: directory.clickhouse,
          socketPath: join(directory.sockets, 'clickhouse.sock'),
          memoryBytes: instance.clickhouseMemoryMib * 1024 ** 2,
          log,
        }
      : { kind: 'external', url: instance.clickhouseUrl, log },
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
    ...(instance.databaseUrl === null
      ? {
          kind: 'embedded',
          dataDir: directory.postgres,
          socketDir: join(directory.sockets, 'postgres'),
          port: instance.dbPort === 0 ? null : instance.dbPort,
          password: keys.databasePassword,
          changeBacklogMib: instance.changeBacklogMib,
        }
      : { kind: 'external', url: instance.databaseUrl, directUrl: instance.databaseDirectUrl }),
    exposedSchemas: settings.rest.schemas,
    poolSize: settings.rest.poolSize ?? instance.poolSize,
    requests: {
      acquireTimeoutMs: settings.rest.poolAcquisitionTimeout * 1000,
      idleTimeoutMs: settings.rest.poolMaxIdletime * 1000,
      maxLifetimeSeconds: settings.rest.poolMaxLifetime,
      preparesStatements: settings.rest.preparedStatements,
    },
    log,
  })
  opened.push(() => postgres.close())
  report(`${(await postgres.health()).detail.split(',')[0]} ${since()}`)
  const { admin: sql } = postgres
  await postgres.migrate('auth', authMigrations)
  await postgres.migrate('mail', inboxMigrations)
  await postgres.migrate('operators', operatorsMigrations)
  await postgres.migrate('analytics', analyticsMigrations.postgres)
  await postgres.migrate('thread', threadMigrations.postgres)
  await postgres.migrate('instance', instanceMigrations)
  const sample = createSample({
    file: sampleOf(instance),
    admin: sql,
    auth: postgres.auth,
    owner: postgres.owner,
    roomTables: [...authPeopleTables, ...analyticsPeopleTables, ...threadPeopleTables],
    schemas: settings.rest.schemas,
    now,
  })
  opened.push(() => sample.close())
  await sample.expect()
  if (instance.project !== null) {
    const applied = await applyProject({ folder: instance.project, admin: sql, owner: postgres.owner, log })
    const done = [
      ...(applied.migrations === 0 ? [] : [`${applied.migrations} migration${applied.migrations === 1 ? '' : 's'}`]),
      ...(applied.seeded ? ['the seed'] : []),
    ]
    if (done.length > 0) report(`${done.join(' and ')} applied ${since()}`)
    await postgres.settle()
  }

  const ownSince = await sample.begin()

  const addresses = await planAddresses(instance)
  const { apiUrl: url, consoleUrl, inboxUrl } = addresses
  const siteUrl = given(settings.auth.siteUrl, authSettings.siteUrl.default) ?? url
  const inbox = createInbox({ sql: postgres.aside, now, newId, settings: settings.mail })
  const auth = createAuth({
    sql: postgres.auth,
    mail: createMailer(inbox, settings.mail, { now, newId }),
    ...(instance.project === null ? {} : { textFolder: instance.project }),
    keys: keys.tokens,
    codeKey: deriveKey(keys.pepper, 'one-time codes'),
    now,
    newId,
    log: logger,
    ...planSms(settings, inbox),
    settings: {
      ...settleAuthSettings(settings.auth, instance.production),
      externalUrl: given(settings.auth.externalUrl, authSettings.externalUrl.default) ?? `${url}/auth/v1`,
      rateLimitByAddress: settings.auth.rateLimitByAddress || instance.production,
      siteUrl,
    },
  })
  const tidying = setInterval(() => {
    auth.cleanUp().catch((error: unknown) => logger.warn({ err: error }, 'auth: leftovers could not be deleted'))
  }, settings.auth.cleanUpIntervalSeconds * 1000).unref()
  opened.push(async () => clearInterval(tidying))
  const threads = createThreads()
  opened.push(() => threads.close())
  const rest = await createRest({
    session: postgres.session,
    sql: postgres.authenticator,
    listen: postgres.listen,
    threads,
    jsonDepth: instance.jsonDepth,
    settings: {
      ...settings.rest,
      openapiServerProxyUri: settings.rest.openapiServerProxyUri ?? `${url}/rest/v1`,
    },
    loginRole: 'authenticator',
    now,
    log: logger,
  })
  opened.push(() => rest.close())
  await tables.catch((cause: unknown) => {
    throw instanceError('CLEW_START_CLICKHOUSE', {
      details: cause instanceof Error ? cause.message : String(cause),
      cause,
    })
  })
  const replay = createReplay({ clickhouse, settings: settings.replay })
  const refused = createRefusedRows({
    folder: join(directory.spool, 'refused'),
    limitBytes: settings.spool.refusedBytes,
    now,
    log: logger,
  })
  const analytics = await createAnalytics({
    sql,
    clickhouse,
    spoolDir: directory.spool,
    spoolSettings: settings.spool,
    refused,
    ingestTokens: [keys.ingestToken],
    isSecretKey: (key) => equalInConstantTime(key, keys.api.secretKey),
    recordings: replay,
    threads,
    now,
    newId,
    settings: settings.analytics,
    jsonDepth: instance.jsonDepth,
    log: logger,
  })
  opened.push(() => analytics.close())
  const changes = createChangeWorker(
    {
      source: postgres.changeSource,
      clickhouse: clickhouse.address,
      settings: settings.thread,
      // Of its own: two threads would turn over each other's files.
      refused: { folder: join(directory.spool, 'refused', 'changes'), limitBytes: settings.spool.refusedBytes },
    },
    log,
  )
  opened.push(() => changes.close())
  const thread = await createThread({
    sql,
    clickhouse,
    spoolDir: directory.spool,
    spoolSettings: settings.spool,
    refused,
    now,
    settings: settings.thread,
    log: logger,
    recordings: replay,
    events: analytics.events,
    people: {
      byDistinctId: analytics.personsByDistinctId,
      byUserId: analytics.personsByUserId,
      distinctIdsMatching: analytics.distinctIdsMatching,
      linkUser: async ({ distinctId, userId, at }) => {
        const email = (await auth.users([userId])).get(userId)?.email ?? null
        await analytics.linkUser({ distinctId, userId, at, email })
      },
    },
    users: { byId: auth.users, idsMatching: auth.userIdsMatching },
    ingestTokens: [keys.ingestToken],
    changes: {
      gaps: postgres.changes.gaps,
      notRecorded() {
        const { state, detail } = changes.health()
        return state === 'off' ? detail : null
      },
    },
    ...(ownSince === null ? {} : { ownSince }),
  })
  opened.push(() => thread.close())
  const operators = await createOperators({
    sql,
    now,
    newId,
    settings: settings.operators,
    project: instance.name ?? 'Clew',
    cookieScope: {
      isSecure: consoleUrl.startsWith('https:'),
      hasOwnHost: new URL(consoleUrl).hostname !== new URL(url).hostname,
    },
    consoleUrl,
    pepper: keys.pepper,
  })

  const inboxForAll = inboxPlugin(inbox, headersOf(settings.mail), instance.jsonDepth)
  const inboxPages = instance.production ? operatorsOnly(operators, inboxForAll) : inboxForAll

  const proxyCheck = createProxyCheck(logger)
  const health = async (): Promise<readonly EngineHealth[]> => [
    await postgres.health(),
    await clickhouse.health(),
    changes.health(),
    await analytics.health(),
    await thread.health(),
    await diskHealth(directory.data, instance.freeDiskMib),
    ...proxyCheck.health(),
  ]
  const everybodyKnows = !instance.production && instance.databaseUrl === null
  const shownDbUrl = postgres.url === null || everybodyKnows ? postgres.url : withoutPassword(postgres.url)
  const exampleUrl = instance.public === null ? null : `${url}/`
  const facts = {
    project: instance.name ?? 'Clew',
    mode: instance.production ? 'production' : 'local',
    version,
    apiUrl: url,
    inboxUrl,
    dbUrl: shownDbUrl,
    exampleUrl,
    publishableKey: keys.api.publishableKey,
    anonKey: keys.api.anonKey,
    ingestToken: keys.ingestToken,
    hostname: new URL(url).hostname,
  } as const

  // Clients of the OAuth server know no project key: they prove themselves by their own, or by a user's token.
  const openPaths =
    /^\/(verify|callback|authorize|health|oauth\/(authorize|token|userinfo|clients\/register)|sso\/saml\/|\.well-known\/)/
  const never = (): boolean => false
  const issuers = createTrustedIssuers({ settings: settings.auth, now, log: logger })
  opened.push(() => issuers.close())
  await issuers.refresh()
  // Where the settings say that the team's own pages are.
  const pageOrigins = originsOf([url, siteUrl, ...settings.auth.additionalRedirectUrls])
  const hosts = [...[url, consoleUrl].map((address) => new URL(address).hostname), ...instance.allowedHosts]
  const metrics = createMetrics([
    {
      name: 'clew_spool_waiting_bytes',
      help: 'Captured events and recordings that are durable but not stored yet',
      read: () => analytics.waiting().bytes,
    },
    {
      name: 'clew_spool_lag_seconds',
      help: 'How long the oldest captured event or recording that is not stored yet has waited',
      read: () => analytics.waiting().lagMs / 1000,
    },
    {
      name: 'clew_spool_damaged_bytes',
      help: 'Bytes of the spools since the start that were no record and were left out',
      read: () => analytics.waiting().damagedBytes + thread.waiting().damagedBytes,
    },
    {
      name: 'clew_refused_rows',
      help: 'Rows since the start that an engine refused for what they are, set aside in the spool’s folder refused',
      read: () => refused.count() + changes.refusedRows(),
    },
    {
      name: 'clew_requests_waiting_bytes',
      help: 'Records of finished requests that are not stored yet',
      read: () => thread.waiting().bytes,
    },
    {
      name: 'clew_requests_lag_seconds',
      help: 'How long the oldest finished request that is not stored yet has waited',
      read: () => thread.waiting().lagMs / 1000,
    },
    {
      name: 'clew_changes_behind_bytes',
      help: 'Log of PostgreSQL that is written and whose row changes are not stored yet',
      read: () => changes.behindBytes(),
    },
    {
      name: 'clew_requests_lost',
      help: 'Finished requests since the start of which no record could be kept, for want of room',
      read: () => thread.waiting().lostRequests,
    },
  ])
  const shared = {
    jsonDepth: instance.jsonDepth,
    headLimitBytes: instance.headLimitKib * 1024,
    newId,
    now,
    trustedProxies: instance.trustedProxies,
    clientAddressHeader: instance.clientAddressHeader,
    proxyCheck,
    log: logger,
    ...(instance.production ? {} : { allowsHost: createHostCheck(hosts) }),
  }
  const mounts: readonly Mount[] = [
    {
      prefix: '/rest/v1',
      service: 'rest',
      plugin: restPlugin(rest, { exposedHeaders: ['x-request-id'] }),
      needsKey: () => true,
    },
    { prefix: '/auth/v1', service: 'auth', plugin: authPlugin(auth), needsKey: (path) => !openPaths.test(path) },
    {
      prefix: '/.well-known/oauth-authorization-server',
      service: 'auth',
      plugin: authDiscoveryPlugin(auth),
      needsKey: never,
    },
    { prefix: '/ingest', service: null, plugin: capturePlugin(analytics), needsKey: never },
  ]
  const gateway = await createGateway({
    findCaller: createCallerFinder({
      verify: createTokenVerifier({
        keys: keys.tokens,
        now,
        cacheSize: tokensRemembered,
        clockSkewSeconds: 0,
        ...(settings.auth.thirdPartyIssuers.length === 0 ? {} : { issuers }),
      }),
      publishableKey: keys.api.publishableKey,
      secretKey: keys.api.secretKey,
      keyRequired: instance.production,
    }),
    tagRequest: thread.tagRequest,
    mounts,
    health,
    requestEnded: thread.requestEnded,
    metrics,
    metricsToken: instance.metricsToken,
    ...(instance.production ? {} : { allowsPage: createPageCheck(pageOrigins) }),
    publicFolder: instance.public,
    consoleUrl,
    redirects: [
      { prefix: '/console', to: consoleUrl },
      ...(instance.production ? [] : [{ prefix: '/inbox', to: inboxUrl }]),
    ],
    withheldCookies: sessionCookieNames,
    ...shared,
  })
  await listen(gateway, addresses.api)
  opened.push(() => gateway.close())
  const consoleServer = await createConsoleServer({
    api: consolePlugin({
      open: operatorsPlugin(operators),
      guard: operators.guard,
      parts: [threadConsole(thread), restConsole(rest, postgres.reader), accessPlugin(operators)],
      facts: { ...facts, services: [...new Set(mounts.flatMap(({ service }) => service ?? []))] },
      health,
    }),
    inbox: { prefix: new URL(inboxUrl).pathname, plugin: inboxPages },
    assetOrigins: [...pageOrigins, ...settings.replay.assetOrigins, ...(instance.production ? [] : localOrigins)],
    folder: fileURLToPath(new URL(isBuilt ? './console/' : '../dist/console/', import.meta.url)),
    ...shared,
  })
  await listen(consoleServer, addresses.console)
  opened.push(() => consoleServer.close())
  return {
    apiUrl: url,
    consoleUrl,
    inboxUrl,
    dbUrl: postgres.url,
    shownDbUrl,
    exampleUrl,
    ownerLink: async () => {
      const token = await operators.setupLink()
      return token === null ? null : `${consoleUrl}/welcome?token=${token}`
    },
    metrics: metrics.text,
    health,
    resetFactors: operators.resetFactors,
    loadSample: () =>
      sample.load({ ...thread.importRows, events: analytics.importEvents, snapshots: (rows) => replay.store(rows) }),
  }
}

/** Who delivers text messages: the provider of the settings; where there is none, a local instance keeps them in its inbox. */
function planSms({ auth, instance }: Settings, inbox: Inbox): Pick<AuthDeps, 'sendSms' | 'checkSmsCode'> {
  const provider = createSmsProvider(settleAuthSettings(auth, instance.production))
  if (provider !== null)
    return { sendSms: provider.send, ...(provider.check === undefined ? {} : { checkSmsCode: provider.check }) }
  if (instance.production) return {}
  return {
    async sendSms({ phone, message }) {
      await inbox.send(textMessage(phone, message))
      return { messageId: '' }
    },
  }
}

/** Other people's visits have no place in production, nor in engines that may hold somebody's own. */
const sampleOf = ({ sample, project, production, databaseUrl, clickhouseUrl }: Settings['instance']): string | null =>
  production || project === null || databaseUrl !== null || clickhouseUrl !== null ? null : sample

/** A setting's value where somebody gave one other than the default, which cannot know this instance's address. */
const given = (value: string, unset: string): string | null => (value === unset ? null : value)

/** Seconds since it was made, as a person reads them. */
function stopwatch(): () => string {
  const startedAt = performance.now()
  return () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
}
