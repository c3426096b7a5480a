import { createHash } from 'node:crypto'
import { existsSync, type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../../ground/errors/message.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import type { FunctionLog } from '../../../ground/model/function-log.ts'
import type { FunctionsSettings } from '../settings.ts'
import type { WorkerProgram } from '../worker/worker.ts'
import { readEnvironment, type Variables } from './environment.ts'
import { findFunction, findFunctions, functionsFolder, type ProjectFunction } from './project-folder.ts'
import { makeVersion, type VersionDeps } from './version.ts'

/** A function that can be called. */
export interface FoundFunction {
  readonly verifyJwt: boolean
  /** What its process runs; made by the first call. @throws BOOT_ERROR */
  program(): Promise<WorkerProgram>
}

/** The functions of the project folder. */
export interface Registry {
  find(name: string): Promise<FoundFunction | null>
  list(): Promise<readonly ProjectFunction[]>
  close(): Promise<void>
}

export interface RegistryDeps extends VersionDeps {
  readonly settings: Pick<FunctionsSettings, 'each' | 'secrets'>
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

interface Entry {
  readonly source: ProjectFunction
  program: Promise<WorkerProgram> | null
}

/** Editors write a file in several steps. */
const settleMs = 30

/** Reads functions when they are first called, and again when their files change. */
export function openRegistry(deps: RegistryDeps): Registry {
  const { project, settings, log } = deps
  const entries = new Map<string, Entry>()
  let watcher: FSWatcher | null = null
  /** The folder may come while the server runs. */
  const startWatching = (): void => {
    if (deps.watches) watcher ??= watchFunctions(project, () => void renew())
  }
  let renewing: Promise<void> = Promise.resolve()

  const make = async (source: ProjectFunction): Promise<WorkerProgram> => {
    const version = await makeVersion(source, deps)
    const environment = await readEnvironment(project, settings.secrets, deps.environment(source.name, version.version))
    return { ...version, version: withEnvironment(version.version, environment), environment }
  }

  /** Says in both logs why there is no version of what the files hold. */
  const refused = (name: string, error: unknown): void => {
    const text = detailsOf(error)
    log.error({ function: name }, `Function ${name} cannot start: ${text}`)
    const about = { at: deps.now(), name, version: '', executionId: '', requestId: null }
    deps.logged({ ...about, kind: 'boot_failure', level: 'error', text })
  }

  const find = async (name: string): Promise<Entry | null> => {
    const known = entries.get(name)
    if (known !== undefined) return known
    startWatching()
    const source = await findFunction(project, name, settings.each)
    if (source === null) return null
    const entry: Entry = entries.get(name) ?? { source, program: null }
    entries.set(name, entry)
    return entry
  }

  const programOf = (entry: Entry): Promise<WorkerProgram> => {
    entry.program ??= make(entry.source).catch((error: unknown) => {
      refused(entry.source.name, error)
      // A folder that is watched says when there is something new to try.
      if (watcher === null) entry.program = null
      throw error
    })
    return entry.program
  }

  /** Makes new versions of those functions that were called, where their files have changed. */
  const renew = (): Promise<void> => {
    renewing = renewing.then(async () => {
      for (const [name, before] of [...entries]) {
        const source = await findFunction(project, name, settings.each)
        if (source === null) {
          entries.delete(name)
          continue
        }
        const entry: Entry = { source, program: null }
        const [old, fresh] = await Promise.all([before.program?.catch(() => null), programOf(entry).catch(() => null)])
        entries.set(name, entry)
        if (fresh === null || fresh.version === old?.version) continue
        await deps.replace(fresh).then(
          () => log.info({ function: name, version: fresh.version }, `Function ${name} was reloaded`),
          (error: unknown) => log.error({ function: name }, `Function ${name} cannot start: ${detailsOf(error)}`),
        )
      }
    })
    return renewing
  }

  return {
    async find(name) {
      const entry = await find(name)
      return entry && { verifyJwt: entry.source.verifyJwt, program: () => programOf(entry) }
    },
    list: () => findFunctions(project, settings.each),
    async close() {
      watcher?.close()
      await renewing
    },
  }
}

/** A version is another one as soon as its environment is. */
const withEnvironment = (version: string, environment: Variables): string =>
  createHash('sha256').update(version).update(JSON.stringify(environment)).digest('hex').slice(0, 16)

const detailsOf = (error: unknown): string =>
  error instanceof ServiceError && typeof error.details === 'string' ? error.details : messageOf(error)

function watchFunctions(project: string, changed: () => void): FSWatcher | null {
  const folder = join(project, functionsFolder)
  if (!existsSync(folder)) return null
  let isSettling = false
  return watch(folder, { recursive: true, persistent: false }, () => {
    if (isSettling) return
    isSettling = true
    void delay(settleMs).then(() => {
      isSettling = false
      changed()
    })
  })
}
