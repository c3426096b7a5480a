import { compose } from '../compose.ts'
import { planServer } from '../engines/mail/index.ts'
import { createReplaceableKeys } from '../ground/jwt/keys.ts'
import type { FunctionLog } from '../ground/model/function-log.ts'
import { projectName } from '../plan/facts.ts'
import type { ComposeInput, LoadedSample, RunningInstance, WorkerPlace } from '../plan/instance.ts'
import { hasTarget } from '../services/backups/index.ts'
import { isLoopback, type ReadSettings, type Settings } from '../settings/index.ts'
import { openStorageApi } from '../transfer/index.ts'
import { loadCertificate } from './certificate.ts'
import { askMetrics, type ControlDeps, type InstanceStatus, openControl } from './control.ts'
import { directoryOf, takeDirectory } from './directory.ts'
import { diskHealth } from './disk.ts'
import { configuredKeys, loadKeys } from './keys.ts'
import { createLog } from './log.ts'
import { closeAll } from './opened.ts'
import { openProcessFolders, type ProcessFolders } from './process-folders.ts'
import { createPrepareProject } from './project/prepare-project.ts'
import { explainStart } from './refused-start.ts'

/** What a start needs of the command line. */
export interface StartInput {
  readonly settings: Settings
  /** Where each setting was said, by section; defaults are not among them. */
  readonly places: ReadSettings['places']
  /** Called with each step as it is done, for a person who waits. */
  readonly report: (line: string) => void
  /** Called with what is being done; the next line replaces it. */
  readonly progress: (line: string) => void
  /** Told each line that a function logs. */
  readonly functionLogged?: (line: FunctionLog) => void
  /** Where this process stands among workers; on its own where nothing is said. */
  readonly worker?: WorkerPlace | null
  /** Called when `clew stop` asks. */
  readonly onStop: () => void
}

/** A running Clew on its data directory. */
export interface Instance {
  readonly status: () => Promise<InstanceStatus>
  /** Where the database is, without a secret password. */
  readonly shownDbUrl: string | null
  /** The team's own application, where one is served. */
  readonly exampleUrl: string | null
  /** Makes the one-time link that creates the owner, which ends the one before; null when there is an owner. */
  readonly ownerLink: () => Promise<string | null>
  /** What production still lacks, a sentence each. */
  readonly missing: readonly string[]
  /** Loads what is still to load of the project's sample; null when nothing is. */
  readonly loadSample: () => Promise<LoadedSample | null>
  close(): Promise<void>
}

/**
 * Takes the data directory, starts the engines, joins the rooms, listens.
 *
 * @throws the CLEW_START_… errors, and the POSTGRES_… errors of a start
 */
export async function startInstance({
  settings: given,
  places,
  worker = null,
  report,
  progress,
  onStop,
  ...listeners
}: StartInput): Promise<Instance> {
  const settings = worker === null ? given : withPorts(given, worker)
  const directory = directoryOf(settings.instance.data)
  const log = createProcessLog(settings, worker)
  const logLine = (line: string): void => log.warn(line)
  const opened: (() => Promise<void>)[] = []
  const close = (): Promise<void> => closeAll(opened, logLine)
  try {
    if (worker === null) await takeDirectory(directory, opened)
    const folders = await openProcessFolders(directory, worker)
    const { production } = settings.instance
    const load = () => loadKeys(directory.data, production, () => new Date(), configuredKeys(settings))
    const loaded = await load()
    const tokens = createReplaceableKeys(loaded.tokens)
    const keys = { ...loaded, tokens: tokens.keys }
    const { instance } = settings
    const since = stopwatch()
    const reportStep = (step: string): void => report(`${step} ${since()}`)
    const isFirst = worker?.isFirst ?? true
    const running = await compose({
      ...listeners,
      settings,
      places,
      folders,
      worker,
      keys,
      certificate: await loadCertificate(settings.instance, directory.data, () => new Date()),
      prepareProject: createPrepareProject({
        settings,
        applies: isFirst,
        now: () => new Date(),
        report: reportStep,
        progress,
        log: logLine,
      }),
      allMetrics: worker === null ? null : () => askMetrics(directory.control),
      diskHealth: () => diskHealth(directory.data, instance.freeDiskMib),
      report: reportStep,
      log,
      logLine,
      opened,
    })
    if (isFirst) await makeBuckets(running, keys.api.serviceRoleKey, reportStep)
    const status = createStatus(settings, keys, running)
    const reloadKeys = async (): Promise<void> => tokens.replace((await load()).tokens)
    const control = await openControl(controlDeps(folders, running, { status, reloadKeys, stop: onStop }))
    opened.push(() => control.close())
    const { shownDbUrl, exampleUrl, ownerLink, loadSample } = running
    return { status, shownDbUrl, exampleUrl, ownerLink, missing: missing(settings), loadSample, close }
  } catch (error) {
    await close()
    throw explainStart(error, directory.data)
  }
}

/** The ports that the workers share, where free ones were asked for. */
const withPorts = (settings: Settings, { port, consolePort }: WorkerPlace): Settings => ({
  ...settings,
  instance: { ...settings.instance, port, consolePort },
})

/** A worker's lines have its number. */
function createProcessLog({ instance }: Settings, worker: WorkerPlace | null) {
  const log = createLog(instance)
  return worker === null ? log : log.child({ worker: worker.number })
}

const controlDeps = (
  { control: socketPath }: ProcessFolders,
  { ownerLink, metrics, resetFactors, localConsole, settle, clearDatabase }: RunningInstance,
  own: Pick<ControlDeps, 'status' | 'reloadKeys' | 'stop'>,
): ControlDeps => ({
  ...own,
  socketPath,
  ownerLink,
  metrics,
  resetFactors,
  localConsole: localConsole.answer,
  settle,
  clearDatabase,
})

function createStatus(
  { instance }: Settings,
  { api, ingestToken }: Pick<ComposeInput['keys'], 'api' | 'ingestToken'>,
  { apiUrl, consoleUrl, inboxUrl, listenUrl, dbUrl, health }: RunningInstance,
): () => Promise<InstanceStatus> {
  return async () => ({
    name: projectName(instance),
    mode: instance.production ? 'production' : 'local',
    apiUrl,
    consoleUrl,
    inboxUrl,
    listenUrl,
    dbUrl,
    anonKey: api.anonKey,
    serviceRoleKey: api.serviceRoleKey,
    publishableKey: api.publishableKey,
    secretKey: api.secretKey,
    jwtSecret: api.jwtSecret,
    ingestToken,
    pid: process.pid,
    engines: await health(),
  })
}

/** Makes the buckets of the project by the API, so that what is uploaded is stored and recorded as any upload. */
async function makeBuckets(
  { listenUrl, keepBuckets }: RunningInstance,
  key: string,
  report: (step: string) => void,
): Promise<void> {
  if (keepBuckets === null) return
  const api = openStorageApi({ url: listenUrl, key, isOwn: true })
  try {
    const made = await keepBuckets(api)
    if (made === null) return
    const { created, updated, uploaded } = made
    if (created + updated + uploaded > 0)
      report(`Buckets: ${created} created, ${updated} updated, ${uploaded} files uploaded`)
  } finally {
    api.close()
  }
}

/** Seconds since it was made, for a person. */
function stopwatch(): () => string {
  const startedAt = performance.now()
  return () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
}

function missing({ instance, mail, auth, backup }: Settings): readonly string[] {
  if (!instance.production) return []
  return [
    ...(instance.publicUrl === null
      ? ['Still missing for production: --public-url, the address browsers use, for links in mails and tokens.']
      : []),
    ...(instance.consoleUrl === null
      ? ['The console listens on a loopback address only: give --console-url, its own address behind a proxy with TLS.']
      : []),
    ...(isLoopback(instance.host)
      ? [
          'Listening on a loopback address: put a proxy with TLS in front, or give --host.',
          ...(instance.trustedProxies.length === 0
            ? ['Name that proxy in trusted_proxies: until then its users share one address, and its limits.']
            : []),
        ]
      : []),
    ...missingForSignIn(mail, auth),
    ...missingForBackups(instance, backup),
  ]
}

/** An external PostgreSQL is backed up by its own tools. */
function missingForBackups({ databaseUrl }: Settings['instance'], backup: Settings['backup']): readonly string[] {
  if (databaseUrl !== null) return []
  if (!hasTarget(backup)) return ['Still missing for production: a place for backups, folder or s3_bucket of [backup].']
  return backup.passphrase === null
    ? [
        'Backups leave the keys out, as there is no passphrase: give CLEW_BACKUP_PASSPHRASE, or keep keys.json yourself.',
      ]
    : []
}

/** What users of the application cannot do, or can do that they should not, as things are set. */
function missingForSignIn(mail: Settings['mail'], auth: Settings['auth']): readonly string[] {
  const mustConfirm = auth.emailEnableConfirmations !== false
  const sendsMails = planServer(mail) !== null || auth.hookSendEmailUri !== null
  return [
    ...(sendsMails || !auth.emailEnableSignup
      ? []
      : [
          'Still missing for production: a mail server. Mails wait in the console’s inbox: ' +
            (mustConfirm
              ? 'users who sign up by e-mail cannot sign in, nor recover a password, until an operator passes the mail on.'
              : 'users cannot recover a password until an operator passes the mail on.'),
        ]),
    ...(mustConfirm
      ? []
      : ['Addresses are not confirmed (email_enable_confirmations = false): anybody may sign up as any address.']),
    ...(auth.smsEnableSignup && auth.smsProvider === '' && auth.hookSendSmsUri === null
      ? ['Still missing for production: who delivers text messages; sign-ups by phone are refused.']
      : []),
  ]
}
