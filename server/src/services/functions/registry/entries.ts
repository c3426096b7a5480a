import { fingerprintOf, type KeptVersions } from '../kept/kept-versions.ts'
import type { ActiveVersion, KeptVersion } from '../kept/store.ts'
import type { FunctionsSettings } from '../settings.ts'
import { findFunction, type ProjectFunction } from '../source/project-folder.ts'
import { type MadeVersion, makeVersion, type VersionDeps } from '../source/version.ts'
import type { WorkerProgram } from '../worker/worker.ts'
import { restoreVersion } from './restore.ts'
import type { Turns } from './turns.ts'

/** A function that is served, and what its process runs. */
export interface Entry {
  readonly source: ProjectFunction
  readonly make: () => Promise<MadeVersion>
  made: Promise<MadeVersion> | null
  program: Loading<WorkerProgram> | null
}

/** What is loaded: its promise, and the value once it is there, for the many that come later. */
export interface Loading<Value> {
  readonly promise: Promise<Value>
  readonly value: Value | null
}

export function loading<Value>(promise: Promise<Value>): Loading<Value> {
  const state: { promise: Promise<Value>; value: Value | null } = { promise, value: null }
  promise.then(
    (value) => {
      state.value = value
    },
    () => undefined,
  )
  return state
}

export interface EntriesDeps extends VersionDeps {
  readonly settings: Pick<FunctionsSettings, 'each'>
  /** Null where no versions are kept. */
  readonly kept: KeptVersions | null
  readonly turns: Turns
  readonly log: { error(details: object, message: string): void }
}

/** Decides what is served under a name: the folder's function, or a kept version. */
export interface Entries {
  /** Null where neither is there. */
  load(name: string): Promise<Entry | null>
  /** @param made where the folder's files were read already */
  ofFolder(source: ProjectFunction, made?: Promise<MadeVersion>): Entry
  ofKept(version: KeptVersion, made: MadeVersion): Entry
  /** Records a version of the folder, where it is not the one that the folder last made. */
  keepFolder(source: ProjectFunction, made: MadeVersion): Promise<void>
  /** What the folder holds of a function; null where it has none that can be made. */
  folderHash(name: string): Promise<string | null>
  /** Whether another version answers than this one of the folder, which the folder made before. */
  isPinnedOver(source: ProjectFunction, made: MadeVersion): boolean
}

export function createEntries(deps: EntriesDeps): Entries {
  const { project, settings, kept, turns, log } = deps
  const findSource = (name: string) => findFunction(project, name, settings.each)
  const keepFolder: Entries['keepFolder'] = async (source, made) => {
    const folderHash = fingerprintOf(made.hash, source)
    if (kept === null || kept.active(source.name)?.folderHash === folderHash) return
    try {
      await kept.activate(await kept.keep(source, made, null), folderHash)
    } catch (error) {
      log.error({ function: source.name, err: error }, `A version of function ${source.name} could not be kept`)
    }
  }
  const ofFolder: Entries['ofFolder'] = (source, made) => {
    const make = async (): Promise<MadeVersion> => {
      const fresh = await makeVersion(source, deps)
      // The call that waits for the version does not wait for its record.
      void turns.run(source.name, () => keepFolder(source, fresh))
      return fresh
    }
    return { source, make, made: made ?? null, program: null }
  }
  const restored = (version: KeptVersion, from: KeptVersions): Entry => {
    const make = () => restoreVersion(version, from, deps)
    return { source: version, make, made: null, program: null }
  }
  return {
    ofFolder,
    keepFolder,
    ofKept(version, made) {
      const make = async () => made
      return { source: version, make, made: make(), program: null }
    },
    async load(name) {
      const source = await findSource(name)
      const active = settings.each[name]?.enabled === false ? undefined : kept?.active(name)
      if (kept === null || active === undefined) return source && ofFolder(source)
      // What the folder made goes with the folder.
      if (source === null) return active.version.madeBy === null ? null : restored(active.version, kept)
      if (!isPinned(active)) return ofFolder(source)
      const made = await makeVersion(source, deps).catch(() => null)
      const isAsBefore = made === null || fingerprintOf(made.hash, source) === active.folderHash
      return isAsBefore ? restored(active.version, kept) : ofFolder(source)
    },
    async folderHash(name) {
      const source = await findSource(name)
      const made = source && (await makeVersion(source, deps).catch(() => null))
      return made && source && fingerprintOf(made.hash, source)
    },
    isPinnedOver(source, made) {
      const active = kept?.active(source.name)
      return active !== undefined && isPinned(active) && active.folderHash === fingerprintOf(made.hash, source)
    },
  }
}

/** Whether another version answers than the folder last made. */
export const isPinned = ({ version, folderHash }: ActiveVersion): boolean =>
  folderHash !== null && fingerprintOf(version.hash, version) !== folderHash
