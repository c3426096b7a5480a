import { compose } from '../compose.ts'
import { openLog, type ProcessLog } from '../engines/log/index.ts'
import type { FunctionLog } from '../ground/model/function-log.ts'
import { withValues } from '../ground/settings/live.ts'
import { projectName } from '../plan/facts.ts'
import type { ComposeInput, LoadedSample, RunningInstance, WorkerPlace } from '../plan/instance.ts'
import { acmeNames } from '../plan/reach/certificates.ts'
import { createLiveSettings, type ReadSettings, type Settings } from '../settings/index.ts'
import { openStorageApi } from '../transfer/index.ts'
import { openCertificate } from './certificate.ts'
import { askMetrics, askReloadSecrets, type ControlDeps, type InstanceStatus, openControl } from './control.ts'
import { type Directory, directoryOf } from './directory.ts'
import { type DiskWatch, watchDisk } from './disk.ts'
import { configuredKeySecrets, configuredKeys, loadKeys } from './keys.ts'
import { missingInProduction } from './missing.ts'
import { closeAll } from './opened.ts'
import { openProcessFolders, type ProcessFolders } from './process-folders.ts'
import { createPrepareProject } from './project/prepare-project.ts'
import { explainStart } from './refused-start.ts'
import { createKeyRotation } from './rotation.ts'
import { followSecrets } from './secrets/follow.ts'
import { createLiveKeys } from './secrets/live-keys.ts'
import { createSecretReload, type SecretReloading } from './secrets/reload.ts'
import { createPointsMeasure, explainUpgrade, holdDirectory, openUpgradeCheck } from './upgrade/index.ts'

/** What a start needs of the command line. */
export interface StartInput {
  readonly settings: Settings
  /** Where each setting was said, by section; defaults are not among them. */
  readonly places: ReadSettings['places']
  /** Reads the settings again, from where they were read for the start. */
  readonly reread: () => Promise<ReadSettings>
  /** The files that secrets were read from. */
  readonly secretFiles: readonly string[]
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
  /** Reads the secrets of the settings again, in all of its processes; `by` is what asks, for the audit log. */
  readonly reloadSecrets: (by: string) => Promise<void>
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
  reread,
  secretFiles,
  worker = null,
  report,
  progress,
  onStop,
  ...listeners
}: StartInput): Promise<Instance> {
  const live = createLiveSettings(given)
  const settings = worker === null ? live.settings : withPorts(live.settings, worker)
  const directory = directoryOf(settings.instance.data)
  const { log, droppedLines, close: closeLog } = openProcessLog(settings, worker)
  const logLine = (line: string): void => log.warn(line)
  const opened: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    await closeAll(opened, logLine)
    await closeLog()
  }
  try {
    const now = (): Date => new Date()
    const deps = { settings, now, report, progress, log: logLine }
    const upgrade = await (worker === null ? holdDirectory(directory, deps, opened) : openUpgradeCheck(directory, deps))
    const folders = await openProcessFolders(directory, worker)
    const load = () => loadKeys(directory.data, settings.instance.production, now, configuredKeys(settings))
    const { keys, replace } = createLiveKeys(await load())
    const disk = await openDisk(settings, directory.data, opened)
    const reportStep = timed(report)
    const isFirst = worker?.isFirst ?? true
    const certificateDeps = { acmeNames: acmeNames(settings), now, log }
    const certificate = await openCertificate(settings.instance, directory.data, certificateDeps)
    opened.push(async () => certificate?.close())
    const secrets = createSecretReload({ first: given, live, reread, log: logLine })
    const running = await compose({
      ...listeners,
      settings,
      ...{ places, folders, worker, keys, disk, droppedLines, opened, log, logLine },
      useSecrets: secrets.use,
      reloadSecrets: (by) => askReloadSecrets(directory.control, by),
      rotation: createKeyRotation(settings, directory),
      certificate: certificate?.live ?? null,
      beforeTables: upgrade.beforeTables,
      prepareProject: createPrepareProject({
        ...deps,
        afterMigrations: upgrade.afterMigrations,
        applies: isFirst,
        report: reportStep,
      }),
      allMetrics: worker === null ? null : () => askMetrics(directory.control),
      restorePointBytes: createPointsMeasure(directory.data, now),
      report: reportStep,
    })
    await upgrade.end(running.health)
    if (isFirst) await makeBuckets(running, keys.api.serviceRoleKey, reportStep)
    const status = createStatus(settings, keys, running)
    const reloadKeys = async (): Promise<void> => {
      const { databasePassword: before } = keys
      const rootsBefore = rootIds(keys)
      replace(await load())
      if (keys.databasePassword !== before) await running.passwordReplaced()
      if (rootIds(keys) !== rootsBefore) await running.rootsReplaced()
    }
    const reloadSecrets = await openSecretControl({
      ...{ settings, secretFiles, secrets, directory, folders, running, logLine, opened },
      own: { status, reloadKeys, stop: onStop },
    })
    const { shownDbUrl, exampleUrl, ownerLink, loadSample } = running
    const missing = missingInProduction(settings)
    return { status, shownDbUrl, exampleUrl, ownerLink, missing, loadSample, reloadSecrets, close }
  } catch (error) {
    await close()
    throw explainStart(await explainUpgrade(error, directory.data), directory.data)
  }
}

const rootIds = ({ roots }: Pick<ComposeInput['keys'], 'roots'>): string =>
  roots()
    .map(({ id }) => id)
    .join()

async function openDisk({ instance }: Settings, folder: string, opened: (() => Promise<void>)[]): Promise<DiskWatch> {
  const { freeDiskMib: wantedMib, diskReserveMib: reserveMib } = instance
  const disk = await watchDisk({ folder, wantedMib, reserveMib })
  opened.push(() => disk.close())
  return disk
}

/** The ports that the workers share, where free ones were asked for. */
const withPorts = (settings: Settings, { port, consolePort }: WorkerPlace): Settings => ({
  ...settings,
  instance: withValues(settings.instance, { port, consolePort }),
})

interface SecretControlDeps extends Pick<StartInput, 'settings' | 'secretFiles'> {
  readonly secrets: SecretReloading
  readonly directory: Directory
  readonly folders: ProcessFolders
  readonly running: RunningInstance
  readonly own: Pick<ControlDeps, 'status' | 'stop'> & { readonly reloadKeys: () => Promise<void> }
  readonly logLine: (line: string) => void
  readonly opened: (() => Promise<void>)[]
}

/** Opens the control socket, and follows the files of secrets. @returns what reads the secrets again, in every process */
async function openSecretControl(deps: SecretControlDeps): Promise<Instance['reloadSecrets']> {
  const { settings, secretFiles: files, secrets, directory, folders, running, own, logLine: log, opened } = deps
  secrets.use({ secrets: configuredKeySecrets, taken: own.reloadKeys })
  const reloadKeys = async (rotated: string | null): Promise<void> => {
    await own.reloadKeys()
    if (rotated !== null) await running.secretRotated(rotated, 'command line')
  }
  const reloadSecrets = recordedReload(secrets, running)
  const control = await openControl(controlDeps(folders, running, { ...own, reloadKeys, reloadSecrets }))
  opened.push(() => control.close())
  const reload = (by: string) => askReloadSecrets(directory.control, by)
  const { readNow, close } = followSecrets({ files, settings, reload, log })
  opened.push(close)
  return readNow
}

/** Reads the secrets again, and writes those that were taken into the audit log. */
const recordedReload =
  ({ reload }: SecretReloading, { secretTaken }: Pick<RunningInstance, 'secretTaken'>): ControlDeps['reloadSecrets'] =>
  async (by) => {
    const reloaded = await reload()
    if (by !== null)
      for (const { name, outcome } of reloaded.secrets) if (outcome === 'taken') await secretTaken(name, by)
    return reloaded
  }

/** A worker's lines have its number; its file is its own, as two processes would rename each other's. */
function openProcessLog({ instance, log: settings }: Settings, worker: WorkerPlace | null): ProcessLog {
  if (worker === null) return openLog(withValues(instance, settings))
  const { logFile } = instance
  const own = logFile === null ? null : `${logFile}.worker-${worker.number}`
  const { log, ...rest } = openLog(withValues(withValues(instance, settings), { logFile: own }))
  return { ...rest, log: log.child({ worker: worker.number }) }
}

const controlDeps = (
  { control: socketPath }: ProcessFolders,
  { ownerLink, metrics, resetFactors, localConsole, settle, clearDatabase }: RunningInstance,
  own: Pick<ControlDeps, 'status' | 'reloadKeys' | 'reloadSecrets' | 'stop'>,
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
  keys: ComposeInput['keys'],
  running: RunningInstance,
): () => Promise<InstanceStatus> {
  const { apiUrl, consoleUrl, inboxUrl, listenUrl, health } = running
  const { api } = keys
  return async () => ({
    name: projectName(instance),
    mode: instance.production ? 'production' : 'local',
    apiUrl,
    consoleUrl,
    inboxUrl,
    listenUrl,
    dbUrl: running.dbUrl,
    anonKey: api.anonKey,
    serviceRoleKey: api.serviceRoleKey,
    publishableKey: api.publishableKey,
    secretKey: api.secretKey,
    jwtSecret: api.jwtSecret,
    ingestToken: keys.ingestToken,
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

/** Reports each step with the seconds since now, for a person. */
function timed(report: (line: string) => void): (step: string) => void {
  const startedAt = performance.now()
  return (step) => report(`${step} ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}
