import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type ChangeWorker, changeService, createChangeWorker } from './change-worker/index.ts'
import { createClickHouse } from './engines/clickhouse/index.ts'
import { headersOf } from './engines/mail/index.ts'
import { createPostgres } from './engines/postgres/index.ts'
import { createThreads } from './engines/threads/index.ts'
import { instanceError } from './errors.ts'
import {
  consolePlugin,
  createConsoleServer,
  createGateway,
  createLocalConsole,
  createMetrics,
  createProxyCheck,
  type InstanceFacts,
} from './gateway/index.ts'
import { messageOf } from './ground/errors/message.ts'
import { ServiceError } from './ground/errors/service-error.ts'
import type { Masks } from './ground/privacy/masks.ts'
import { listen } from './listening.ts'
import { type Addresses, planAddresses } from './plan/addresses.ts'
import { openAnalytics } from './plan/analytics/analytics.ts'
import { addDefinitions } from './plan/analytics/definitions.ts'
import { openAuth } from './plan/auth.ts'
import { openBus } from './plan/bus.ts'
import { planClickHouse, planPostgres } from './plan/engines.ts'
import { joinErrors, meaningOf } from './plan/errors.ts'
import { planFacts } from './plan/facts.ts'
import { addFunctions } from './plan/functions/functions.ts'
import type { ComposeInput, RunningInstance } from './plan/instance.ts'
import { addOperations } from './plan/operations/operations.ts'
import { openOperators } from './plan/operators.ts'
import { joinPeople } from './plan/people.ts'
import { addErasures } from './plan/privacy/erasures.ts'
import { addPrivacy } from './plan/privacy/privacy.ts'
import { planAgents } from './plan/reach/agents.ts'
import { addReach } from './plan/reach/certificates.ts'
import { addRealtime } from './plan/realtime.ts'
import { openRest, planWhy } from './plan/rest.ts'
import { openRetention } from './plan/retention.ts'
import { describeInstance } from './plan/running.ts'
import { useEngineSecrets } from './plan/secrets/engine-secrets.ts'
import { planServers } from './plan/servers.ts'
import { createServiceList, type Engines, planShared } from './plan/shared.ts'
import { addSqlServices } from './plan/sql-services.ts'
import { addStorage } from './plan/storage.ts'
import { serviceTables } from './plan/tables/service-tables.ts'
import { addOtlp } from './plan/thread/otlp.ts'
import { addSessions } from './plan/thread/sessions.ts'
import { analyticsService } from './services/analytics/index.ts'
import { authService } from './services/auth/index.ts'
import { createInbox, inboxPlugin, mailRoutes } from './services/inbox/index.ts'
import { issuesService } from './services/issues/index.ts'
import { createSends } from './services/net/index.ts'
import { operatorsOnly, operatorsPlugin } from './services/operators/index.ts'
import type { Otlp, OtlpDeps } from './services/otlp/index.ts'
import { replayService } from './services/replay/index.ts'
import { restService } from './services/rest/index.ts'
import { copiedBodyBytes, createThread, type Thread } from './services/thread/index.ts'

type Services = Awaited<ReturnType<typeof openServices>>

/** A start does not wait longer for the row changes of a database that is slow, or out of reach. */
const longestWaitMs = 10_000

/** Opens engines, services and servers, and joins them. It and `plan/` alone import every service. */
export async function compose(input: ComposeInput): Promise<RunningInstance> {
  const addresses = await planAddresses(input.settings.instance)
  const engines = await openEngines(input)
  const services = await openServices(input, engines, addresses)
  return openServers(input, engines, services, addresses)
}

async function openEngines(input: ComposeInput): Promise<Engines> {
  const { settings, folders, keys, worker, beforeTables, prepareProject, report, logLine, opened } = input
  const isWorker = worker !== null
  const bus = await openBus(settings.cluster, logLine, worker)
  opened.push(() => bus.close())
  const clickhouse = createClickHouse(planClickHouse(settings, folders, logLine, isWorker))
  opened.push(() => clickhouse.close())
  const clickhouseReady = (async () => {
    await beforeTables(clickhouse)
    for (const { name, clickhouse: folder } of serviceTables)
      if (folder !== undefined) await clickhouse.migrate(name, folder, report)
    report(`${(await clickhouse.health()).detail.split(',')[0]}`)
  })()
  // Awaited by the services, after PostgreSQL, which may fail first.
  clickhouseReady.catch(() => undefined)
  const postgres = await createPostgres(planPostgres(settings, folders, keys, logLine, isWorker))
  opened.push(() => postgres.close())
  report(`${(await postgres.health()).detail.split(',')[0]}`)
  for (const { name, postgres: folder } of serviceTables) if (folder !== undefined) await postgres.migrate(name, folder)
  const people = serviceTables.flatMap((each) => each.people ?? [])
  const project = await prepareProject(postgres, { people, schemas: settings.rest.schemas })
  opened.push(() => project.close())
  input.useSecrets({
    secrets: ['[migrations] vault'],
    check: ({ migrations }) => project.keepSecrets(migrations.vault),
  })
  const threads = createThreads()
  opened.push(() => threads.close())
  return { postgres, clickhouse, clickhouseReady, threads, project, bus }
}

async function openServices(input: ComposeInput, engines: Engines, addresses: Addresses) {
  const { settings, keys } = input
  const { postgres, project } = engines
  const { shared, spool } = planShared(input, engines)
  const { running, add, rootKeyUses } = createServiceList(input)
  addReach(add, input, engines, shared)
  const inbox = createInbox({ ...shared, sql: postgres.aside, settings: settings.mail })
  const authDeps = { ...shared, ...input, sql: postgres.auth, inbox }
  const { auth, issuers, pages, shown, keyUses, settings: ofAuth } = await openAuth(settings, addresses, authDeps)
  const operators = await openOperators(settings, addresses, { ...shared, inbox, roots: keys.roots })
  const { actions } = operators
  const users = { ...shared, ...shown, issuers, settings: ofAuth, reader: postgres.reader, actions }
  add(authService(auth, users), ofAuth.enabled)
  const rest = await openRest(input, addresses, postgres, shared)
  const why = planWhy(postgres, actions, spool, (id) => thread.request(id))
  add(restService(rest, why), settings.rest.enabled)
  await engines.clickhouseReady.catch(refuseStart)
  const retention = openRetention(settings, shared)
  const { keptLonger } = retention
  const { recordings, pictureOf, captureRules, issues, analytics, definitions } = await openAnalytics(input, engines, {
    ...{ addresses, shared, spool, inbox, retention },
    forgetInThread: (ids, before) => thread.forget(ids, before),
    forgetInTraces: (ids, before) => otlp.forget(ids, before),
  })
  const changes = openChanges(input, engines, spool.masks, () => shared.live.announce('changes'))
  add(changeService(changes))
  useEngineSecrets(input, { ...engines, renewChanges: changes.renew })
  const people = joinPeople({ analytics, auth, issues, inbox })
  add(analyticsService(analytics, spool.refused, { ...people, actions, pictureOf, ...definitions }))
  add(issuesService(issues, { ...shared, ...people, settings: settings.issues, actions }))
  const sessionsOf: OtlpDeps['sessionsOf'] = (traceIds) => thread.sessionsOfTraces(traceIds)
  const otlp: Otlp = await addOtlp(add, input, { ...shared, ...spool, sessionsOf })
  const thread: Thread = await createThread({
    ...shared,
    ...spool,
    ...people,
    ...{ settings: settings.thread, recordings, keptLonger, explainError: meaningOf },
    sends: createSends(postgres.reader),
    traces: { find: otlp.findTraces, logs: otlp.logs.list, loggers: otlp.logs.services },
    changes: { gaps: postgres.changes.gaps, notRecorded: changes.notRecorded },
    operators: { actionsOf: operators.actions.ofRequests },
    ...(project.ownSince === null ? {} : { ownSince: project.ownSince }),
  })
  addSessions(add, input, engines, { ...{ thread, shared, people, actions, keptLonger }, masks: spool.masks })
  add(replayService({ ...shared, ...spool, replay: recordings, settings: settings.replay }, actions))
  addPrivacy(add, input, shared, { actions, analytics, recordings, thread, otlp, issues })
  const operated = { shared, operators, addresses, inbox, changes, retention, running, rootKeyUses }
  const { backups, health, telemetry, disk, renewRootKeys } = await addOperations(add, input, engines, operated)
  addDefinitions(add, { ...definitions, captureRules }, actions)
  // A row that is written before the slot is there has no history.
  await Promise.race([changes.begun, delay(longestWaitMs, undefined, { ref: false })])
  await addSqlServices(add, input, engines, { addresses, shared, actions })
  const files = await addStorage(add, input, engines, { addresses, shared, actions, disk })
  addErasures(add, input, engines, { shared, actions, analytics, files, backups, retention })
  const errors = joinErrors(shared, thread, issues, telemetry)
  await addFunctions(add, input, engines, { addresses, shared, actions, issuers, ...errors })
  addRealtime(add, input, engines, { shared, operators, issuers, thread, changes })
  const kept = { analytics, recordings, issues, thread }
  return { running, health, shared, inbox, issuers, pages, keyUses, ...kept, errors, operators, renewRootKeys }
}

function openChanges(
  { settings, folders, logLine }: ComposeInput,
  { postgres, clickhouse }: Engines,
  masks: Masks,
  stored: () => void,
): ChangeWorker {
  // A separate folder: two threads would rotate each other's files.
  const refused = { folder: join(folders.spool, 'refused', 'changes'), limitBytes: settings.spool.refusedBytes }
  const stuckMs = settings.spool.stuckSeconds * 1000
  return createChangeWorker(
    () => ({
      ...{ source: postgres.changeSource(), clickhouse: clickhouse.address },
      ...{ settings: settings.thread, stuckMs, refused },
    }),
    logLine,
    () => performance.now(),
    stored,
    masks,
  )
}

function refuseStart(cause: unknown): never {
  if (cause instanceof ServiceError && cause.code === 'CLEW_START_NEWER_DATA') throw cause
  throw instanceError('CLEW_START_CLICKHOUSE', {
    details: messageOf(cause),
    cause,
  })
}

async function openServers(input: ComposeInput, engines: Engines, services: Services, addresses: Addresses) {
  const { settings, keys, certificate, opened } = input
  const { running, shared, issuers, pages, keyUses, thread, errors } = services
  const proxyCheck = createProxyCheck(shared.log)
  const planned = { ...shared, certificate, keys, keyUses, issuers, pages, proxyCheck }
  const { api, console } = planServers(settings, addresses, planned)
  const health = async () => [...(await services.health()), ...proxyCheck.health()]
  const metrics = createMetrics(running.flatMap(({ gauges }) => gauges ?? []))
  const mounts = running.flatMap((service) => service.mounts ?? [])
  // What is scraped is about all workers, whichever of them answers.
  const scraped = input.allMetrics === null ? metrics : { ...metrics, text: input.allMetrics }
  const served = {
    tagRequest: thread.tagRequest,
    requestEnded: errors.requestEnded,
    copiedBodyBytes: copiedBodyBytes(settings.thread),
    causes: errors.causes,
    mounts,
    health,
    metrics: scraped,
  }
  const gateway = await createGateway({ ...api, ...served })
  await listen(gateway, addresses.api)
  opened.push(() => gateway.close())
  const facts = planFacts(settings, addresses, keys, engines.postgres.url, mounts)
  const localConsole = await openConsoles(input, services, addresses, { console, facts, health })
  for (const { start } of running) if (start !== undefined) opened.push(await start())
  const servesStorage = mounts.some(({ service }) => service === 'storage')
  const passwordReplaced = (): Promise<void> => engines.postgres.setPassword(keys.databasePassword)
  const rootsReplaced = async (): Promise<void> => {
    await engines.postgres.renewVaultKeys()
    // It may take a while: a rotation waits for the keys only.
    void services.renewRootKeys()
  }
  const seen = { facts, health, metrics: metrics.text, servesStorage, localConsole, passwordReplaced, rootsReplaced }
  return describeInstance(engines, services, addresses, seen)
}

interface ConsoleDeps extends Pick<RunningInstance, 'health'> {
  readonly console: ReturnType<typeof planServers>['console']
  readonly facts: InstanceFacts
}

/** The console's port, and the part of its API that the command line of this machine calls. */
async function openConsoles(
  input: ComposeInput,
  services: Services,
  addresses: Addresses,
  { console, facts, health }: ConsoleDeps,
): Promise<RunningInstance['localConsole']> {
  const { running, inbox, operators, shared } = services
  const { guard } = operators
  const changed = (): void => shared.live.announce('console')
  const { agents, parts: agentParts } = planAgents(input.settings, shared, operators, (incoming, outgoing) =>
    server.routing(incoming, outgoing),
  )
  const served = running.flatMap((service) => service.console ?? [])
  const parts = [mailRoutes(inbox, operators.actions), ...served, ...agentParts]
  const open = operatorsPlugin(
    operators,
    running.flatMap((service) => service.openConsole ?? []),
  )
  const api = consolePlugin({ open, guard, parts, facts, health, changed })
  const server = await createConsoleServer({ ...console, api, agents, inbox: planInbox(input, services, addresses) })
  await listen(server, addresses.console)
  input.opened.push(() => server.close())
  const localParts = [...running.flatMap((service) => service.commandLine ?? []), ...agentParts]
  const localConsole = await createLocalConsole({ ...console, parts: localParts, changed })
  input.opened.push(localConsole.close)
  return localConsole
}

/** The inbox's pages: in production for operators only, since its mails let their readers sign in. */
function planInbox({ settings }: ComposeInput, { inbox, operators }: Services, { inboxUrl }: Addresses) {
  const { production, jsonDepth } = settings.instance
  const { inboxPageMails: pageMails } = settings.mail
  const pages = inboxPlugin(inbox, { headers: headersOf(settings.mail), jsonDepth, pageMails })
  return { prefix: new URL(inboxUrl).pathname, plugin: production ? operatorsOnly(operators, pages) : pages }
}
