import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type ChangeWorker, changeService, createChangeWorker } from './change-worker/index.ts'
import { clearDatabase } from './database/index.ts'
import { type ClickHouse, createClickHouse } from './engines/clickhouse/index.ts'
import { headersOf } from './engines/mail/index.ts'
import { createPostgres, type Postgres } from './engines/postgres/index.ts'
import { createRefusedRows } from './engines/spool/index.ts'
import { createThreads, type Threads } from './engines/threads/index.ts'
import { instanceError } from './errors.ts'
import {
  consolePlugin,
  createConsoleServer,
  createGateway,
  createMetrics,
  createProxyCheck,
  type InstanceFacts,
  type Service,
} from './gateway/index.ts'
import { messageOf } from './ground/errors/message.ts'
import { equalInConstantTime } from './ground/ids/constant-time.ts'
import { uuidv7 } from './ground/ids/uuidv7.ts'
import type { ServiceTables } from './ground/model/service-tables.ts'
import { listen } from './listening.ts'
import { type Addresses, planAddresses } from './plan/addresses.ts'
import { openAuth } from './plan/auth.ts'
import { planClickHouse, planPostgres } from './plan/engines.ts'
import { planFacts, projectName } from './plan/facts.ts'
import { planFunctions } from './plan/functions.ts'
import type { ComposeInput, PreparedProject, RunningInstance } from './plan/instance.ts'
import { planNet } from './plan/net.ts'
import { joinPeople } from './plan/people.ts'
import { planServers } from './plan/servers.ts'
import { openStorage } from './plan/storage.ts'
import { analyticsService, analyticsTables, createAnalytics } from './services/analytics/index.ts'
import { authService, authTables } from './services/auth/index.ts'
import { createCron, cronService } from './services/cron/index.ts'
import { createFunctions, type Functions, functionsService } from './services/functions/index.ts'
import { createInbox, inboxPlugin, inboxTables } from './services/inbox/index.ts'
import { migrationsService } from './services/migrations/index.ts'
import { createNet, createSends, netService, netTables, webhooksService } from './services/net/index.ts'
import {
  cookieScopeOf,
  createOperators,
  operatorsOnly,
  operatorsPlugin,
  operatorsService,
  operatorsTables,
} from './services/operators/index.ts'
import { queuesService } from './services/queues/index.ts'
import { createReplay, replayTables } from './services/replay/index.ts'
import { createRest, restService, restSettingsOf } from './services/rest/index.ts'
import { hasStorageTables, storageConsole, storageService, storageTables } from './services/storage/index.ts'
import { createThread, threadService, threadTables } from './services/thread/index.ts'
import { vaultService } from './services/vault/index.ts'

interface Engines {
  readonly postgres: Postgres
  readonly clickhouse: ClickHouse
  /** Resolves when ClickHouse has the services' tables. */
  readonly clickhouseReady: Promise<void>
  readonly threads: Threads
  readonly project: PreparedProject
}

type Services = Awaited<ReturnType<typeof openServices>>

/** A start does not wait longer for the row changes of a database that is slow, or out of reach. */
const longestWaitMs = 10_000
const now = (): Date => new Date()
const newId = (): string => uuidv7()
/** The tables of every service, in the order in which they are created. */
export const serviceTables: readonly ServiceTables[] = [
  authTables,
  inboxTables,
  operatorsTables,
  analyticsTables,
  replayTables,
  threadTables,
  netTables,
  storageTables,
]

/** Opens engines, services and servers, and joins them: the one file that imports every service. */
export async function compose(input: ComposeInput): Promise<RunningInstance> {
  const addresses = await planAddresses(input.settings.instance)
  const engines = await openEngines(input)
  const services = await openServices(input, engines, addresses)
  return openServers(input, engines, services, addresses)
}

async function openEngines({
  settings,
  folders,
  keys,
  prepareProject,
  report,
  logLine,
  opened,
}: ComposeInput): Promise<Engines> {
  const clickhouse = createClickHouse(planClickHouse(settings, folders, logLine))
  opened.push(() => clickhouse.close())
  const clickhouseReady = (async () => {
    for (const { name, clickhouse: folder } of serviceTables)
      if (folder !== undefined) await clickhouse.migrate(name, folder)
    report(`${(await clickhouse.health()).detail.split(',')[0]}`)
  })()
  // Awaited by the services, after PostgreSQL, which may fail first.
  clickhouseReady.catch(() => undefined)
  const postgres = await createPostgres(planPostgres(settings, folders, keys, logLine))
  opened.push(() => postgres.close())
  report(`${(await postgres.health()).detail.split(',')[0]}`)
  for (const { name, postgres: folder } of serviceTables) if (folder !== undefined) await postgres.migrate(name, folder)
  const people = serviceTables.flatMap((each) => each.people ?? [])
  const project = await prepareProject(postgres, { people, schemas: settings.rest.schemas })
  opened.push(() => project.close())
  const threads = createThreads()
  opened.push(() => threads.close())
  return { postgres, clickhouse, clickhouseReady, threads, project }
}

async function openServices(input: ComposeInput, engines: Engines, addresses: Addresses) {
  const { settings, keys, opened } = input
  const { postgres, clickhouse, project } = engines
  const { shared, spool } = planShared(input, engines)
  const running: Service[] = []
  const add = (service: Service, isServed = true): void => {
    running.push(isServed ? service : { ...service, mounts: [] })
    if (service.close !== undefined) opened.push(service.close)
  }

  const inbox = createInbox({ ...shared, sql: postgres.aside, settings: settings.mail })
  const authDeps = { ...shared, sql: postgres.auth, inbox, keys }
  const { auth, issuers, settings: authSettings } = await openAuth(settings, addresses, authDeps)
  const { cleanUpIntervalSeconds } = authSettings
  add(authService(auth, { issuers, cleanUpIntervalSeconds, log: shared.log }), authSettings.enabled)
  const { session, listen, authenticator } = postgres
  const restSettings = restSettingsOf(settings.rest, addresses.apiUrl)
  const rest = await createRest({
    ...shared,
    session,
    listen,
    sql: authenticator,
    settings: restSettings,
    loginRole: 'authenticator',
  })
  add(restService(rest, postgres.reader), restSettings.enabled)
  await engines.clickhouseReady.catch(refuseStart)
  const recordings = createReplay({ clickhouse, settings: settings.replay })
  const isSecretKey = (key: string): boolean => equalInConstantTime(key, keys.api.secretKey)
  const analytics = await createAnalytics({
    ...shared,
    ...spool,
    isSecretKey,
    recordings,
    settings: settings.analytics,
  })
  add(analyticsService(analytics, spool.refused))
  const changes = openChanges(input, engines)
  add(changeService(changes))
  const { reader, owner, commands, admin } = postgres
  const thread = await createThread({
    ...shared,
    ...spool,
    ...joinPeople(analytics, auth),
    settings: settings.thread,
    recordings,
    events: analytics.events,
    sends: createSends(reader),
    changes: { gaps: postgres.changes.gaps, notRecorded: changes.notRecorded },
    ...(project.ownSince === null ? {} : { ownSince: project.ownSince }),
  })
  add(threadService(thread))
  const operators = await createOperators({
    ...shared,
    settings: settings.operators,
    project: projectName(settings.instance),
    cookieScope: cookieScopeOf(addresses.consoleUrl, addresses.apiUrl),
    consoleUrl: addresses.consoleUrl,
    pepper: keys.pepper,
  })
  add(operatorsService(operators))
  // A row that is written before the slot is there has no history.
  await Promise.race([changes.begun, delay(longestWaitMs, undefined, { ref: false })])
  const { actions } = operators
  const cron = await createCron({ ...shared, listen, commands, settings: settings.cron })
  add(cronService(cron, { ...shared, reader, owner, actions }))
  add(webhooksService({ reader, sql: admin, actions }))
  add(queuesService({ reader, owner, actions }))
  add(vaultService({ reader, owner, actions }))
  add(migrationsService({ folder: settings.instance.project, read: project.migrations, actions }))
  if (postgres.kind === 'embedded')
    add(netService(createNet({ ...shared, owner: postgres.owner, listen, ...planNet(settings, addresses, keys) })))
  if (await hasStorageTables(shared.sql)) {
    const storage = await openStorage(settings, { ...shared, session, keys, folder: input.folders.storage })
    const { enabled, fileSizeLimitBytes: fileSizeLimit } = settings.storage
    const pages = storageConsole({ ...shared, storage, owner, actions, apiUrl: addresses.apiUrl, fileSizeLimit })
    add({ ...storageService(storage), console: enabled ? [pages] : [] }, enabled)
  }
  let causeOf: Functions['causeOf'] = () => null
  if (settings.functions.enabled) {
    const plan = planFunctions(input, addresses, { dbUrl: postgres.url, issuers, now })
    const functions = await createFunctions({ ...shared, ...plan, logged: thread.functionLogged })
    causeOf = functions.causeOf
    add(functionsService(functions))
  }
  const pages = [authSettings.siteUrl, ...authSettings.additionalRedirectUrls]
  return { running, shared, inbox, issuers, pages, analytics, recordings, thread, operators, causeOf }
}

/** What every service may need: each takes of it what its own interface names. */
function planShared({ settings, folders, keys, log }: ComposeInput, { postgres, clickhouse, threads }: Engines) {
  const { jsonDepth } = settings.instance
  const ingestTokens = [keys.ingestToken]
  const refusedFolder = join(folders.spool, 'refused')
  const refused = createRefusedRows({ folder: refusedFolder, limitBytes: settings.spool.refusedBytes, now, log })
  return {
    shared: { sql: postgres.admin, clickhouse, threads, jsonDepth, ingestTokens, now, newId, log },
    spool: { spoolDir: folders.spool, spoolSettings: settings.spool, refused },
  }
}

function openChanges({ settings, folders, logLine }: ComposeInput, { postgres, clickhouse }: Engines): ChangeWorker {
  // A separate folder: two threads would rotate each other's files.
  const refused = { folder: join(folders.spool, 'refused', 'changes'), limitBytes: settings.spool.refusedBytes }
  const { changeSource: source } = postgres
  const stuckMs = settings.spool.stuckSeconds * 1000
  return createChangeWorker(
    { source, clickhouse: clickhouse.address, settings: settings.thread, stuckMs, refused },
    logLine,
  )
}

function refuseStart(cause: unknown): never {
  throw instanceError('CLEW_START_CLICKHOUSE', {
    details: messageOf(cause),
    cause,
  })
}

async function openServers(input: ComposeInput, engines: Engines, services: Services, addresses: Addresses) {
  const { settings, keys, certificate, diskHealth, opened } = input
  const { running, shared, issuers, pages, thread, operators, causeOf } = services
  const proxyCheck = createProxyCheck(shared.log)
  const { api, console } = planServers(settings, addresses, {
    ...shared,
    certificate,
    keys,
    issuers,
    pages,
    proxyCheck,
  })
  const parts = [engines.postgres, engines.clickhouse, ...running, { health: diskHealth }]
  const health = async () => [
    ...(await Promise.all(parts.flatMap((part) => part.health?.() ?? []))),
    ...proxyCheck.health(),
  ]
  const metrics = createMetrics(running.flatMap(({ gauges }) => gauges ?? []))
  const mounts = running.flatMap((service) => service.mounts ?? [])
  const { tagRequest, requestEnded } = thread
  const gateway = await createGateway({ ...api, tagRequest, causeOf, requestEnded, mounts, health, metrics })
  await listen(gateway, addresses.api)
  opened.push(() => gateway.close())
  const facts = planFacts(settings, addresses, keys, engines.postgres.url, mounts)
  const consoleServer = await createConsoleServer({
    ...console,
    api: consolePlugin({
      open: operatorsPlugin(operators),
      guard: operators.guard,
      parts: running.flatMap((service) => service.console ?? []),
      facts,
      health,
    }),
    inbox: planInbox(input, services, addresses),
  })
  await listen(consoleServer, addresses.console)
  opened.push(() => consoleServer.close())
  for (const { start } of running) if (start !== undefined) opened.push(await start())
  const servesStorage = mounts.some(({ service }) => service === 'storage')
  return describeInstance(engines, services, addresses, { facts, health, metrics: metrics.text, servesStorage })
}

/** The inbox's pages: in production for operators only, since its mails let their readers sign in. */
function planInbox({ settings }: ComposeInput, { inbox, operators }: Services, { inboxUrl }: Addresses) {
  const { production, jsonDepth } = settings.instance
  const { inboxPageMails: pageMails } = settings.mail
  const pages = inboxPlugin(inbox, { headers: headersOf(settings.mail), jsonDepth, pageMails })
  return { prefix: new URL(inboxUrl).pathname, plugin: production ? operatorsOnly(operators, pages) : pages }
}

function describeInstance(
  { postgres, project }: Engines,
  { thread, analytics, recordings, operators }: Services,
  { apiUrl, consoleUrl, inboxUrl, listenUrl }: Addresses,
  {
    facts,
    health,
    metrics,
    servesStorage,
  }: Pick<RunningInstance, 'health' | 'metrics'> & { readonly facts: InstanceFacts; readonly servesStorage: boolean },
): RunningInstance {
  return {
    apiUrl,
    consoleUrl,
    inboxUrl,
    listenUrl,
    dbUrl: postgres.url,
    shownDbUrl: facts.dbUrl,
    exampleUrl: facts.exampleUrl,
    health,
    metrics,
    ownerLink: async () => {
      const token = await operators.setupLink()
      return token === null ? null : `${consoleUrl}/welcome?token=${token}`
    },
    resetFactors: operators.resetFactors,
    clearDatabase: () => clearDatabase(postgres.admin, { dropsRoles: postgres.kind === 'embedded' }),
    settle: async () => {
      await postgres.settle()
      await postgres.admin.query({ text: `notify pgrst, 'reload schema'`, values: [] })
    },
    keepBuckets: servesStorage ? project.keepBuckets : null,
    loadSample: () =>
      project.loadSample({
        ...thread.importRows,
        events: analytics.importEvents,
        snapshots: (rows) => recordings.store(rows),
      }),
  }
}
