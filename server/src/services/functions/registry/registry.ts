import type { FSWatcher } from 'node:fs'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { createLimiter } from '../../../ground/limits/limiter.ts'
import type { KeptVersions } from '../kept/kept-versions.ts'
import type { KeptVersion } from '../kept/store.ts'
import type { FunctionsSettings } from '../settings.ts'
import { findFunction } from '../source/project-folder.ts'
import { type MadeVersion, makeVersion, type VersionDeps } from '../source/version.ts'
import type { WorkerProgram } from '../worker/worker.ts'
import { createEntries, type Entries, type Entry, loading } from './entries.ts'
import { type ListedFunction, listFunctions } from './list.ts'
import { createPrograms, detailsOf, type ProgramsDeps } from './programs.ts'
import { createTurns } from './turns.ts'
import { watchFunctions } from './watch.ts'

/** A function that can be called. */
export interface FoundFunction {
  readonly verifyJwt: boolean
  /** What its process runs; made by the first call. @throws BOOT_ERROR */
  program(): Promise<WorkerProgram>
}

/** A function whose process may be asked for at once. */
export interface KnownFunction {
  readonly verifyJwt: boolean
  readonly program: WorkerProgram
}

/** The functions of the project folder, and those that were deployed. */
export interface Registry {
  /** A function whose program is there already; null where it must be looked for, or does not exist. */
  known(name: string): KnownFunction | null
  find(name: string): Promise<FoundFunction | null>
  list(): Promise<readonly ListedFunction[]>
  /**
   * Starts a kept version, which then takes the calls of the one before, and records that it answers.
   *
   * @throws BOOT_ERROR, and the one before stays
   */
  adopt(version: KeptVersion, made: MadeVersion): Promise<void>
  /** The next call looks for the function anew. */
  forget(name: string): void
  /** Serves what answers by now, where another process has changed that. @returns whether it is something else */
  follow(name: string): Promise<boolean>
  /** Has the next process of each function find its secrets as they are now. */
  refreshEnvironments(): void
  /** Runs tasks about one function one after another. */
  readonly inTurn: <T>(name: string, task: () => Promise<T>) => Promise<T>
  close(): Promise<void>
}

export interface RegistryDeps extends VersionDeps, Omit<ProgramsDeps, 'settings'> {
  readonly settings: Pick<FunctionsSettings, 'each' | 'secrets'>
  /** Null where no versions are kept. */
  readonly kept: KeptVersions | null
  /** Whether a change in the folder makes new versions. */
  readonly watches: boolean
  /** Starts a version in the place of the one before. */
  readonly replace: (program: WorkerProgram) => Promise<void>
}

/** Versions of what was saved that are made at a time. */
const concurrency = 2

/**
 * Reads functions when they are first called, and again when their files change. The folder deploys what it holds when
 * that is something else than what it last deployed: a rollback, or a deployment of a function that the folder has too,
 * stays until the folder's next change.
 */
export function openRegistry(deps: RegistryDeps): Registry {
  const { project, settings, kept } = deps
  const served = new Map<string, Entry>()
  const started = new Map<string, Promise<Entry | null>>()
  const turns = createTurns()
  const entries = createEntries({ ...deps, turns })
  const programs = createPrograms(deps)
  let watcher: FSWatcher | null = null
  const run = (entry: Entry): Promise<WorkerProgram> => {
    entry.made ??= entry.make()
    entry.program ??= loading(
      entry.made.then(programs.of).catch((error: unknown) => {
        programs.refuse(entry.source.name, error)
        // A folder that is watched says when there is something new to try; a disk that was full does not.
        if (watcher === null || !(error instanceof ServiceError)) Object.assign(entry, { made: null, program: null })
        throw error
      }),
    )
    return entry.program.promise
  }
  const renew = createRenewal(deps, { served, entries, run })
  const limiter = createLimiter({ concurrency, queue: Number.POSITIVE_INFINITY, refuse: () => new Error('unreached') })
  const changed = (names: ReadonlySet<string>): void => {
    for (const name of new Set([...names, ...served.keys()]))
      void turns.run(name, () => limiter(() => renew(name))).catch((error: unknown) => programs.refuse(name, error))
  }
  /** The folder may come while the server runs. */
  const startWatching = (): void => {
    if (deps.watches) watcher ??= watchFunctions(project, changed)
  }
  startWatching()

  const find = async (name: string): Promise<Entry | null> => {
    const known = served.get(name)
    if (known !== undefined) return known
    startWatching()
    const loaded = started.get(name) ?? entries.load(name).finally(() => started.delete(name))
    started.set(name, loaded)
    const entry = await loaded
    if (entry !== null && !served.has(name)) served.set(name, entry)
    return served.get(name) ?? null
  }

  return {
    known: (name) => knownFunction(served.get(name)),
    async find(name) {
      const entry = await find(name)
      return entry && { verifyJwt: entry.source.verifyJwt, program: () => run(entry) }
    },
    list: () => listFunctions({ project, settings, kept }),
    async adopt(version, made) {
      const { name } = version
      const program = await programs.of(made)
      await deps.replace(program)
      const before = served.get(name)
      served.set(name, { ...entries.ofKept(version, made), program: loading(Promise.resolve(program)) })
      try {
        await kept?.activate(version, await entries.folderHash(name))
      } catch (error) {
        if (before === undefined) served.delete(name)
        else served.set(name, before)
        throw error
      }
    },
    forget: (name) => void served.delete(name),
    follow: (name) =>
      turns.run(name, async () => {
        await kept?.refresh()
        return (await isActive(name, served.get(name), kept)) ? false : served.delete(name)
      }),
    refreshEnvironments() {
      for (const entry of served.values()) entry.program = null
    },
    inTurn: turns.run,
    async close() {
      watcher?.close()
      await turns.idle()
    },
  }
}

/** Whether what is served is what answers by the kept versions. */
async function isActive(name: string, entry: Entry | undefined, kept: KeptVersions | null): Promise<boolean> {
  const made = await entry?.made?.catch(() => null)
  return made != null && made.hash === kept?.active(name)?.version.hash
}

function knownFunction(entry: Entry | undefined): KnownFunction | null {
  const program = entry?.program?.value
  return entry === undefined || program == null ? null : { verifyJwt: entry.source.verifyJwt, program }
}

interface RenewalDeps {
  readonly served: Map<string, Entry>
  readonly entries: Entries
  readonly run: (entry: Entry) => Promise<WorkerProgram>
}

/** Makes a version of what was saved of a function, where it says something new. */
function createRenewal(deps: RegistryDeps, { served, entries, run }: RenewalDeps): (name: string) => Promise<void> {
  const { project, settings, log } = deps
  return async (name) => {
    const source = await findFunction(project, name, settings.each)
    const before = served.get(name)
    if (source === null) {
      served.delete(name)
      return
    }
    const known = (await before?.made?.catch(() => null)) ?? null
    const old = (await before?.program?.promise.catch(() => null)) ?? null
    const making = makeVersion(source, deps, known, old !== null)
    const made = await making.catch(() => null)
    if (made !== null && entries.isPinnedOver(source, made)) return
    const entry = entries.ofFolder(source, making)
    const fresh = await run(entry).catch(() => null)
    let isGood = made !== null
    if (fresh !== null && old !== null && fresh.version !== old.version)
      await deps.replace(fresh).then(
        () => log.info({ function: name, version: fresh.version }, `Function ${name} was reloaded`),
        (error: unknown) => {
          isGood = false
          log.error({ function: name }, `Function ${name} cannot start: ${detailsOf(error)}`)
        },
      )
    served.set(name, entry)
    if (made !== null && isGood) await entries.keepFolder(source, made)
  }
}
