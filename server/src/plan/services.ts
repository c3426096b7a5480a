import { type ChangeWorker, shareChanges } from '../change-worker/index.ts'
import { readFindings } from '../database/index.ts'
import { startExpiry } from '../engines/clickhouse/index.ts'
import { equalInConstantTime } from '../ground/ids/constant-time.ts'
import type { FunctionLog } from '../ground/model/function-log.ts'
import type { KeptLonger } from '../ground/model/kept-longer.ts'
import type { Consent } from '../ground/privacy/consent.ts'
import type { PersonStore } from '../ground/privacy/person.ts'
import { advisorService } from '../services/advisor/index.ts'
import type { Analytics } from '../services/analytics/index.ts'
import { type Backups, backupsService } from '../services/backups/index.ts'
import { createCron, cronService } from '../services/cron/index.ts'
import type { Disk } from '../services/disk/index.ts'
import { createExperiments, type ExperimentsRoom, experimentsService } from '../services/experiments/index.ts'
import { createExports, exportsService } from '../services/exports/index.ts'
import { createFlags, type FlagsRoom, flagsService } from '../services/flags/index.ts'
import { createFunctions, functionsService, functionTools } from '../services/functions/index.ts'
import { exceptionLifetime, type Issues } from '../services/issues/index.ts'
import { createLive, liveService } from '../services/live/index.ts'
import { migrationsService } from '../services/migrations/index.ts'
import { createLeadNet, createNet, netService, webhooksService } from '../services/net/index.ts'
import { notesService } from '../services/notes/index.ts'
import { type Operators, operatorsService } from '../services/operators/index.ts'
import { createOtlp, type Otlp, type OtlpDeps, otlpLifetimes, otlpService } from '../services/otlp/index.ts'
import { createPrivacy, privacyService } from '../services/privacy/index.ts'
import { consumersService, createFunctionCall, queuesService } from '../services/queues/index.ts'
import {
  createRealtime,
  type RealtimeConsoleDeps,
  realtimeConsole,
  realtimeService,
} from '../services/realtime/index.ts'
import { type Replay, recordingLifetime } from '../services/replay/index.ts'
import { schemaService } from '../services/schema/index.ts'
import { searchService } from '../services/search/index.ts'
import { type SharesDeps, sharesService } from '../services/shares/index.ts'
import { sqlEditorService } from '../services/sql-editor/index.ts'
import { hasStorageTables, storageConsole, storagePersonStore, storageService } from '../services/storage/index.ts'
import { createSurveys, type SurveysRoom, surveysService } from '../services/surveys/index.ts'
import { changeLifetime, requestLifetimes, sharedFile, type Thread, threadService } from '../services/thread/index.ts'
import { vaultService } from '../services/vault/index.ts'
import type { Addresses } from './addresses.ts'
import type { openAuth } from './auth.ts'
import { planBackups } from './backups/backups.ts'
import { planConsumers } from './consumers.ts'
import { planFunctionTools } from './function-tools.ts'
import { planFunctions } from './functions.ts'
import type { ComposeInput } from './instance.ts'
import { planNet, planOwnAddress } from './net.ts'
import { planRealtime } from './realtime.ts'
import { planSchema } from './rest.ts'
import { planSearch, type SearchJoinDeps } from './search/search.ts'
import type { Add, Engines, Shared } from './shared.ts'
import { openStorage, planExports } from './storage.ts'

/** What services need of the instance and of those before them. */
export interface JoinDeps {
  readonly addresses: Addresses
  readonly shared: Shared
  readonly actions: Operators['actions']
}

/** What operators define for clients to ask for. */
export interface Definitions {
  readonly flags: FlagsRoom
  readonly experiments: ExperimentsRoom
  readonly surveys: SurveysRoom
}

/** Feature flags, which ask analytics for persons, experiments on them, and surveys, whose answers it keeps. */
export async function openDefinitions(
  { settings }: Pick<ComposeInput, 'settings'>,
  { postgres: { reader, listen } }: Engines,
  {
    shared,
    consent,
    analytics,
  }: {
    readonly shared: Shared
    readonly consent: Consent
    readonly analytics: Pick<
      Analytics,
      | 'storedPerson'
      | 'somePersons'
      | 'groupTypes'
      | 'groupProperties'
      | 'surveyEvents'
      | 'experimentEvents'
      | 'personsByDistinctId'
      | 'personsByUserId'
    >
  },
): Promise<Definitions> {
  const people = { person: analytics.storedPerson, some: analytics.somePersons }
  const groups = { types: analytics.groupTypes, properties: analytics.groupProperties }
  const flags = await createFlags({
    ...shared,
    ...{ reader, listen, people, groups, consent },
    settings: settings.flags,
  })
  const experiments = createExperiments({
    ...shared,
    ...{ reader, flags, events: analytics.experimentEvents, settings: settings.experiments },
    people: { byDistinctId: analytics.personsByDistinctId, byUserId: analytics.personsByUserId },
  })
  const events = analytics.surveyEvents
  const surveys = await createSurveys({ ...shared, listen, events, settings: settings.surveys })
  return { flags, experiments, surveys }
}

/** Flags, experiments and surveys, in the console and for clients. */
export function addDefinitions(
  add: Add,
  { flags, experiments, surveys }: Definitions,
  actions: Operators['actions'],
): void {
  add(flagsService(flags, actions))
  add(experimentsService(experiments, actions))
  add(surveysService(surveys, actions))
}

/** What is told of sessions, and of all that the console searches. */
interface SessionJoinDeps extends Pick<JoinDeps, 'shared' | 'actions'>, Pick<SearchJoinDeps, 'people' | 'masks'> {
  readonly thread: Thread
  readonly keptLonger: KeptLonger
}

/** Sessions in the console, notes on them, links to them for those who have no account, and the search that finds them. */
export function addSessions(
  add: Add,
  { settings }: Pick<ComposeInput, 'settings'>,
  { postgres }: Pick<Engines, 'postgres'>,
  { thread, shared, actions, people, masks, keptLonger }: SessionJoinDeps,
): void {
  add(threadService(thread, actions))
  const ofThread = [...requestLifetimes(settings.thread), changeLifetime(settings.thread)]
  const lifetimes = [
    ...ofThread,
    recordingLifetime(settings.replay),
    exceptionLifetime(settings.issues),
    ...otlpLifetimes(settings.otlp),
  ]
  add({ start: async () => startExpiry({ ...shared, lifetimes, keptLonger }) })
  const sessionFile: SharesDeps['sessionFile'] = (id, view, signal) => sharedFile(thread, id, view, signal)
  add(sharesService({ ...shared, sessionFile, settings: settings.shares, actions }))
  add(notesService({ ...shared, settings: settings.notes, actions }))
  add(searchService({ ...planSearch({ postgres, thread, people, masks, now: shared.now }), actions }))
}

/** What takes spans and logs of the team's own servers, at home in the thread. */
export async function addOtlp(
  add: Add,
  { settings, keys }: Pick<ComposeInput, 'settings' | 'keys'>,
  deps: Omit<OtlpDeps, 'settings'>,
): Promise<Otlp> {
  const otlp = await createOtlp({ ...deps, settings: settings.otlp })
  const { secretKey, publishableKey } = keys.api
  const isKey = (own: string) => (key: string) => equalInConstantTime(key, own)
  add(otlpService(otlp, { isSecret: isKey(secretKey), isPublishable: isKey(publishableKey) }), settings.otlp.enabled)
  return otlp
}

/** What lives in the database: jobs, webhooks, queues, secrets, migrations and requests from SQL. */
export async function addSqlServices(
  add: Add,
  { settings, keys, worker }: ComposeInput,
  { postgres, project }: Engines,
  { addresses, shared, actions }: JoinDeps,
): Promise<void> {
  const { reader, editor, owner, listen, commands } = postgres
  const cron = await createCron({ ...shared, listen, commands, settings: settings.cron })
  add(cronService(cron, { ...shared, reader, owner, actions }))
  add(webhooksService({ reader, sql: postgres.admin, actions }))
  add(queuesService({ reader, owner, actions }))
  add(vaultService({ reader, owner, actions }))
  add(sqlEditorService({ ...shared, reader, editor, actions, settings: settings.sqlEditor }))
  const findings = () => readFindings(owner, settings.rest.schemas)
  add(advisorService({ ...shared, findings, actions }))
  add(migrationsService({ folder: settings.instance.project, read: project.migrations, actions }))
  add(schemaService(planSchema(postgres, project, { settings: settings.schema, actions })))
  if (postgres.kind !== 'embedded') return
  const open = () => createNet({ ...shared, owner, listen, ...planNet(settings, addresses, keys) })
  add(netService(worker === null || commands === null ? open() : createLeadNet(commands.hold, open)))
}

/** Stored objects, where the database has their tables: as a store of people, null where it has not. */
export async function addStorage(
  add: Add,
  { settings, keys, folders, disk: { isShort: isDiskShort } }: ComposeInput,
  { postgres: { session, owner } }: Engines,
  { addresses: { apiUrl }, shared, actions, disk }: JoinDeps & { readonly disk: Pick<Disk, 'areFilesFull'> },
): Promise<PersonStore | null> {
  if (!(await hasStorageTables(shared.sql))) return null
  const { storage: folder } = folders
  const { areFilesFull } = disk
  const storage = await openStorage(settings, { ...shared, session, keys, folder, isDiskShort, areFilesFull })
  const { enabled, fileSizeLimitBytes: fileSizeLimit } = settings.storage
  const pages = storageConsole({ ...shared, storage, owner, actions, apiUrl, fileSizeLimit })
  add({ ...storageService(storage), console: enabled ? [pages] : [] }, enabled)
  return storagePersonStore(storage, shared.sql)
}

/** Where data of people are kept. */
interface PrivacyJoinDeps extends Pick<JoinDeps, 'actions'> {
  readonly analytics: Pick<Analytics, 'maskedStores' | 'propertyNames'>
  readonly recordings: Pick<Replay, 'maskedStore'>
  readonly thread: Pick<Thread, 'maskedStores'>
  readonly otlp: Pick<Otlp, 'maskedStores'>
  readonly issues: Pick<Issues, 'maskedStores'>
}

/** Masks, the jobs that mask the past in every room that keeps data of people, and exports, which wait for these. */
export function addPrivacy(
  add: Add,
  input: ComposeInput,
  shared: Shared,
  { actions, analytics, recordings, thread, otlp, issues }: PrivacyJoinDeps,
): void {
  const { settings } = input
  const privacy = createPrivacy({
    ...shared,
    stores: [
      ...analytics.maskedStores,
      ...thread.maskedStores,
      ...otlp.maskedStores,
      ...issues.maskedStores,
      recordings.maskedStore,
    ],
    propertyNames: analytics.propertyNames,
    consentRequired: settings.analytics.consent === 'required',
    settings: settings.privacy,
  })
  add(privacyService(privacy, actions))
  const { maskedTo } = privacy.jobs
  add(exportsService(createExports({ ...shared, ...planExports(input, shared), maskedTo }), actions))
}

/** The operators' own pages, the live connections of their tabs, and the backups that they see to; null where none are made. */
export async function addOperators(
  add: Add,
  input: ComposeInput,
  { live: notices, log, now, sql }: Pick<Shared, 'live' | 'log' | 'now' | 'sql'>,
  operators: Operators,
): Promise<Backups | null> {
  const { sessionOf, standing, actions } = operators
  const { live: settings, instance } = input.settings
  add(operatorsService(operators, log))
  const backups = await planBackups(input, { live: notices, log, now, sql })
  add(backupsService(backups, instance.databaseUrl !== null, actions))
  const live = createLive({ notices, standing, settings, nowMs: () => performance.now(), log })
  add(liveService({ live, sessionOf, actions }))
  return backups
}

/** What realtime needs of the services before it. */
export interface RealtimeJoinDeps extends Pick<FunctionsJoinDeps, 'shared' | 'issuers'> {
  readonly thread: Thread
  readonly operators: Pick<Operators, 'actions' | 'sessionOf' | 'standing'>
  readonly changes: Pick<ChangeWorker, 'subscribe' | 'health' | 'behindBytes'>
}

/** Channels over sockets, with row changes from whichever process reads them. */
export function addRealtime(
  add: Add,
  { settings, keys, logLine }: ComposeInput,
  { postgres: { session, owner }, bus }: Engines,
  { shared, operators, issuers, thread, changes: worker }: RealtimeJoinDeps,
): void {
  const { nodeSeconds } = settings.cluster
  const nowMs = (): number => performance.now()
  const changes = shareChanges({ bus, subscribe: worker.subscribe, nodeSeconds, log: logLine, nowMs })
  add({ close: changes.close })
  const realtime = createRealtime({
    ...shared,
    session,
    subscribe: changes.subscribe,
    onMissed: changes.onMissed,
    isStreaming: () => ['up', 'degraded'].includes(worker.health().state),
    bus,
    nodeSeconds,
    followSocket: thread.followSocket,
    frameSeen: thread.frameSeen,
    ...planRealtime(settings, keys, { issuers, now: shared.now }),
  })
  const { enabled } = settings.realtime
  const stream = () => ({ ...worker.health(), behindBytes: worker.behindBytes() })
  const sessions = planOperatorSessions(shared, operators, settings.live.checkSeconds)
  const { actions } = operators
  const pages = realtimeConsole(realtime.inside, { sql: shared.sql, owner, stream, actions, sessions })
  add({ ...realtimeService(realtime), console: enabled ? [pages.plugin] : [], close: pages.close }, enabled)
}

/** Whose sockets operators' are, and when they end. */
const planOperatorSessions = (
  { live, log }: Pick<Shared, 'live' | 'log'>,
  { sessionOf, standing }: RealtimeJoinDeps['operators'],
  checkSeconds: number,
): RealtimeConsoleDeps['sessions'] => ({
  ...{ sessionOf, log, checkMs: checkSeconds * 1000 },
  standing: (sessionIds) => standing(sessionIds, 'read data'),
  onEnded: (listener) => live.watch('access', listener),
})

/** What functions need of the services before them. */
export interface FunctionsJoinDeps extends JoinDeps, Pick<Awaited<ReturnType<typeof openAuth>>, 'issuers'> {
  /** Hears of every line that a function logs. */
  readonly functionLogged: (line: FunctionLog) => void
}

/** How often the queues of functions are looked at. */
const consumerPollMs = 500

/** Functions of the project folder, and the queues that call them. */
export async function addFunctions(
  add: Add,
  input: ComposeInput,
  { postgres: { owner, url: dbUrl } }: Engines,
  { addresses, shared, actions, functionLogged, issuers }: FunctionsJoinDeps,
): Promise<void> {
  if (!input.settings.functions.enabled) return
  const plan = planFunctions(input, addresses, { dbUrl, issuers, now: shared.now })
  const logged = (line: FunctionLog): void => {
    functionLogged(line)
    input.functionLogged?.(line)
  }
  const functions = await createFunctions({ ...shared, ...plan, logged })
  add(functionsService(functions, actions))
  const tools = planFunctionTools(input, addresses)
  add({ console: [functionTools({ ...tools, sql: owner, now: shared.now }, actions)] })
  const consumers = planConsumers(input.settings)
  if (consumers.length === 0) return
  const own = planOwnAddress(input.settings, addresses)
  const call = createFunctionCall({ ...shared, own, serviceRoleKey: () => input.keys.api.serviceRoleKey })
  add(consumersService({ ...shared, owner, consumers, call, pollMs: consumerPollMs }))
}
