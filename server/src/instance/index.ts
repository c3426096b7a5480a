import { mkdir, rm } from 'node:fs/promises'
import { compose } from '../compose.ts'
import { planServer } from '../engines/mail/index.ts'
import { createReplaceableKeys } from '../ground/jwt/keys.ts'
import type { FunctionLog } from '../ground/model/function-log.ts'
import { projectName } from '../plan/facts.ts'
import type { ComposeInput, LoadedSample, RunningInstance } from '../plan/instance.ts'
import { isLoopback, type Settings } from '../settings/index.ts'
import { openStorageApi } from '../transfer/index.ts'
import { loadCertificate } from './certificate.ts'
import { type InstanceStatus, openControl } from './control.ts'
import { directoryOf, prepareDirectory } from './directory.ts'
import { diskHealth } from './disk.ts'
import { configuredKeys, loadKeys } from './keys.ts'
import { lockDirectory } from './lock.ts'
import { createLog } from './log.ts'
import { createPrepareProject } from './project/prepare-project.ts'
import { explainStart } from './refused-start.ts'

/** What a start needs of the command line. */
export interface StartInput {
  readonly settings: Settings
  /** Called with each step as it is done, for a person who waits. */
  readonly report: (line: string) => void
  /** Called with what is being done; the next line replaces it. */
  readonly progress: (line: string) => void
  /** Told each line that a function logs. */
  readonly functionLogged?: (line: FunctionLog) => void
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
  settings,
  report,
  progress,
  onStop,
  ...listeners
}: StartInput): Promise<Instance> {
  const directory = directoryOf(settings.instance.data)
  const log = createLog(settings.instance)
  const logLine = (line: string): void => log.warn(line)
  const opened: (() => Promise<void>)[] = []
  // What was opened last is closed first, each even when another fails.
  const close = async (): Promise<void> => {
    for (const step of opened.splice(0).reverse()) {
      await step().catch((error: unknown) => logLine(`Stopping: ${String(error)}`))
    }
  }
  try {
    await mkdir(directory.data, { recursive: true })
    const lock = await lockDirectory(directory.data)
    opened.push(() => lock.release())
    await prepareDirectory(directory)
    opened.push(() => rm(directory.sockets, { recursive: true, force: true }))
    const { production } = settings.instance
    const load = () => loadKeys(directory.data, production, () => new Date(), configuredKeys(settings))
    const loaded = await load()
    const tokens = createReplaceableKeys(loaded.tokens)
    const keys = { ...loaded, tokens: tokens.keys }
    const { instance } = settings
    const since = stopwatch()
    const reportStep = (step: string): void => report(`${step} ${since()}`)
    const running = await compose({
      ...listeners,
      settings,
      folders: directory,
      keys,
      certificate: await loadCertificate(settings.instance, directory.data, () => new Date()),
      prepareProject: createPrepareProject({
        settings,
        now: () => new Date(),
        report: reportStep,
        progress,
        log: logLine,
      }),
      diskHealth: () => diskHealth(directory.data, instance.freeDiskMib),
      report: reportStep,
      log,
      logLine,
      opened,
    })
    await makeBuckets(running, keys.api.serviceRoleKey, reportStep)
    const status = createStatus(settings, keys, running)
    const control = await openControl({
      socketPath: directory.control,
      status,
      ownerLink: running.ownerLink,
      metrics: running.metrics,
      reloadKeys: async () => tokens.replace((await load()).tokens),
      resetFactors: running.resetFactors,
      localConsole: running.localConsole.answer,
      settle: running.settle,
      clearDatabase: running.clearDatabase,
      stop: onStop,
    })
    opened.push(() => control.close())
    const { shownDbUrl, exampleUrl, ownerLink, loadSample } = running
    return { status, shownDbUrl, exampleUrl, ownerLink, missing: missing(settings), loadSample, close }
  } catch (error) {
    await close()
    throw explainStart(error, directory.data)
  }
}

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

function missing({ instance, mail, auth }: Settings): readonly string[] {
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
    'Still missing for production: a backup target.',
  ]
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
