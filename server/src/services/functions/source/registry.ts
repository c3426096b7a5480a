import { createHash } from 'node:crypto'
import type { FSWatcher } from 'node:fs'
import { messageOf } from '../../../ground/errors/message.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { createLimiter } from '../../../ground/limits/limiter.ts'
import type { FunctionLog } from '../../../ground/model/function-log.ts'
import { fingerprintOf, type KeptVersions } from '../kept/kept-versions.ts'
import type { ActiveVersion, KeptVersion } from '../kept/store.ts'
import type { FunctionsSettings } from '../settings.ts'
import type { WorkerProgram } from '../worker/worker.ts'
import { readSecrets, type Variables } from './environment.ts'
import { findFunction, findFunctions, type ProjectFunction } from './project-folder.ts'
import { restoreVersion } from './restore.ts'
import { createTurns } from './turns.ts'
import { type MadeVersion, makeVersion, type VersionDeps } from './version.ts'
import { watchFunctions } from './watch.ts'

/** A function that can be called. */
export interface FoundFunction {
  readonly verifyJwt: boolean
  /** What its process runs; made by the first call. @throws BOOT_ERROR */
  program(): Promise<WorkerProgram>
}

/** A function of the project, with the version that answers. */
export interface ListedFunction extends ProjectFunction {
  /** Whether the project folder has it. */
  readonly isInFolder: boolean
  /** Null where none was made yet, or none is kept. */
  readonly version: KeptVersion | null
  /** Whether another version answers than what the folder holds, until the next save. */
  readonly isPinned: boolean
}

/** The functions of the project folder, and those that were deployed. */
export interface Registry {
  find(name: string): Promise<FoundFunction | null>
  list(): Promise<readonly ListedFunction[]>
  /**
   * Starts a kept version, which then takes the calls of the one before, and records that it answers.
   *
   * @throws BOOT_ERROR, and the one before stays
   */
  adopt(version: KeptVersion, made: MadeVersion): Promise<void>
  /** Serves what the folder has of a function, if anything. */
  forget(name: string): void
  /** Has the next process of each function find its secrets as they are now. */
  refreshEnvironments(): void
  /** Runs tasks about one function one after another. */
  readonly inTurn: <T>(name: string, task: () => Promise<T>) => Promise<T>
  close(): Promise<void>
}

export interface RegistryDeps extends VersionDeps {
  readonly settings: Pick<FunctionsSettings, 'each' | 'secrets'>
  /** Null where no versions are kept. */
  readonly kept: KeptVersions | null
  /** The secrets that operators set. */
  readonly secrets: () => Variables
  /** Told the values that must not be in logs. */
  readonly secretsRead: (values: Variables) => void
  /** What says where the instance is. */
  readonly environment: (name: string, version: string) => Variables
  /** Whether a change in the folder makes new versions. */
  readonly watches: boolean
  /** Starts a version in the place of the one before. */
  readonly replace: (program: WorkerProgram) => Promise<void>
  readonly logged: (line: FunctionLog) => void
  readonly now: () => Date
  readonly log: { info(details: object, message: string): void; error(details: object, message: string): void }
}

/** A function that is served. */
interface Entry {
  readonly source: ProjectFunction
  readonly make: () => Promise<MadeVersion>
  made: Promise<MadeVersion> | null
  program: Promise<WorkerProgram> | null
}

/** Versions that are made at a time of what was saved. */
const concurrency = 2

/**
 * Reads functions when they are first called, and again when their files change. The folder deploys what it holds when
 * that is something else than what it last deployed: a rollback, or a deployment of a function that the folder has too,
 * stays until the folder's next change.
 */
export function openRegistry(deps: RegistryDeps): Registry {
  const { project, settings, kept, log } = deps
  const entries = new Map<string, Entry>()
  const loading = new Map<string, Promise<Entry | null>>()
  const turns = createTurns()
  const limiter = createLimiter({ concurrency, queue: Number.POSITIVE_INFINITY, refuse: () => new Error('unreached') })

  const programOf = async ({ hash, ...made }: MadeVersion): Promise<WorkerProgram> => {
    const { name, files, startsIn, entry, importMap, config } = made
    const secrets = await readSecrets(project, { ...settings.secrets, ...deps.secrets() })
    deps.secretsRead(secrets)
    const environment = { ...secrets, ...deps.environment(name, hash) }
    return { name, version: withEnvironment(hash, environment), files, startsIn, entry, importMap, config, environment }
  }

  /** Says in both logs why there is no version of what the files hold. */
  const refused = (name: string, error: unknown): void => {
    const text = detailsOf(error)
    log.error({ function: name }, `Function ${name} cannot start: ${text}`)
    const about = { at: deps.now(), name, version: '', executionId: '', requestId: null }
    deps.logged({ ...about, kind: 'boot_failure', level: 'error', text })
  }

  /** Records a version of the folder, where it is not the one that the folder last made. */
  const keepFolder = async (source: ProjectFunction, made: MadeVersion): Promise<void> => {
    const { name } = source
    const folderHash = fingerprintOf(made.hash, source)
    if (kept === null || kept.active(name)?.folderHash === folderHash) return
    try {
      await kept.activate(await kept.keep(source, made, null), folderHash)
    } catch (error) {
      log.error({ function: name, err: error }, `A version of function ${name} could not be kept`)
    }
  }

  const entryOf = (source: ProjectFunction, make: Entry['make'], made: Entry['made'] = null): Entry => ({
    ...{ source, make, made },
    program: null,
  })
  const fromFolder = (source: ProjectFunction, made: Entry['made'] = null): Entry => {
    const make = async (): Promise<MadeVersion> => {
      const fresh = await makeVersion(source, deps)
      void turns.run(source.name, () => keepFolder(source, fresh))
      return fresh
    }
    return entryOf(source, make, made)
  }
  const fromKept = (version: KeptVersion, from: KeptVersions, made: Entry['made'] = null): Entry =>
    entryOf(version, () => restoreVersion(version, from, deps), made)

  const load = async (name: string): Promise<Entry | null> => {
    const source = await findFunction(project, name, settings.each)
    const active = settings.each[name]?.enabled === false ? undefined : kept?.active(name)
    if (kept === null || active === undefined) return source && fromFolder(source)
    // What the folder made goes with the folder.
    if (source === null) return active.version.madeBy === null ? null : fromKept(active.version, kept)
    if (!isPinned(active)) return fromFolder(source)
    const made = await makeVersion(source, deps).catch(() => null)
    const isAsBefore = made === null || fingerprintOf(made.hash, source) === active.folderHash
    return isAsBefore ? fromKept(active.version, kept) : fromFolder(source)
  }

  const find = async (name: string): Promise<Entry | null> => {
    const known = entries.get(name)
    if (known !== undefined) return known
    startWatching()
    const started = loading.get(name) ?? load(name).finally(() => loading.delete(name))
    loading.set(name, started)
    const entry = await started
    if (entry !== null && !entries.has(name)) entries.set(name, entry)
    return entries.get(name) ?? null
  }

  const run = (entry: Entry): Promise<WorkerProgram> => {
    entry.made ??= entry.make()
    entry.program ??= entry.made.then(programOf).catch((error: unknown) => {
      refused(entry.source.name, error)
      // A folder that is watched says when there is something new to try.
      if (watcher === null) Object.assign(entry, { made: null, program: null })
      throw error
    })
    return entry.program
  }

  /** Makes a version of what was saved, where it says something new. */
  const renew = async (name: string): Promise<void> => {
    const source = await findFunction(project, name, settings.each)
    const before = entries.get(name)
    if (source === null) {
      entries.delete(name)
      return
    }
    const known = (await before?.made?.catch(() => null)) ?? null
    const making = makeVersion(source, deps, known)
    const made = await making.catch(() => null)
    const active = kept?.active(name)
    const isDeployed = made !== null && active?.folderHash === fingerprintOf(made.hash, source)
    if (isDeployed && active !== undefined && isPinned(active)) return
    const entry = fromFolder(source, making)
    const [old, fresh] = await Promise.all([before?.program?.catch(() => null), run(entry).catch(() => null)])
    if (fresh !== null && old != null && fresh.version !== old.version)
      await deps.replace(fresh).then(
        () => log.info({ function: name, version: fresh.version }, `Function ${name} was reloaded`),
        (error: unknown) => log.error({ function: name }, `Function ${name} cannot start: ${detailsOf(error)}`),
      )
    entries.set(name, entry)
    if (made !== null) await keepFolder(source, made)
  }
  const changed = (names: ReadonlySet<string>): void => {
    for (const name of new Set([...names, ...entries.keys()]))
      void turns.run(name, () => limiter(() => renew(name))).catch((error: unknown) => refused(name, error))
  }
  let watcher: FSWatcher | null = null
  /** The folder may come while the server runs. */
  const startWatching = (): void => {
    if (deps.watches) watcher ??= watchFunctions(project, changed)
  }
  startWatching()

  return {
    async find(name) {
      const entry = await find(name)
      return entry && { verifyJwt: entry.source.verifyJwt, program: () => run(entry) }
    },
    list: () => listFunctions(deps),
    async adopt(version, made) {
      if (kept === null) return
      const { name } = version
      const entry = fromKept(version, kept, Promise.resolve(made))
      const program = await programOf(made)
      await deps.replace(program)
      const before = entries.get(name)
      entries.set(name, { ...entry, program: Promise.resolve(program) })
      try {
        await kept.activate(version, await folderHashOf(name, deps))
      } catch (error) {
        if (before === undefined) entries.delete(name)
        else entries.set(name, before)
        throw error
      }
    },
    forget: (name) => void entries.delete(name),
    refreshEnvironments() {
      for (const entry of entries.values()) entry.program = null
    },
    inTurn: turns.run,
    async close() {
      watcher?.close()
      await turns.idle()
    },
  }
}

/** Whether another version answers than the folder last made. */
const isPinned = ({ version, folderHash }: ActiveVersion): boolean =>
  folderHash !== null && fingerprintOf(version.hash, version) !== folderHash

/** What the folder holds of a function; null where it has none that can be made. */
async function folderHashOf(name: string, deps: RegistryDeps): Promise<string | null> {
  const source = await findFunction(deps.project, name, deps.settings.each)
  const made = source && (await makeVersion(source, deps).catch(() => null))
  return made && source && fingerprintOf(made.hash, source)
}

async function listFunctions({ project, settings, kept }: RegistryDeps): Promise<readonly ListedFunction[]> {
  const folder = await findFunctions(project, settings.each)
  const inFolder = folder.map((source): ListedFunction => {
    const active = kept?.active(source.name)
    return { ...source, isInFolder: true, version: active?.version ?? null, isPinned: !!active && isPinned(active) }
  })
  const names = new Set(folder.map(({ name }) => name))
  const deployed = (kept?.names() ?? []).flatMap((name): ListedFunction[] => {
    const version = kept?.active(name)?.version
    const isServed = version !== undefined && version.madeBy !== null && settings.each[name]?.enabled !== false
    return isServed && !names.has(name) ? [{ ...version, isInFolder: false, version, isPinned: false }] : []
  })
  return [...inFolder, ...deployed].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** A version is another one as soon as its environment is. */
const withEnvironment = (version: string, environment: Variables): string =>
  createHash('sha256').update(version).update(JSON.stringify(environment)).digest('hex').slice(0, 16)

const detailsOf = (error: unknown): string =>
  error instanceof ServiceError && typeof error.details === 'string' ? error.details : messageOf(error)
