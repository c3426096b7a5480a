import type { KeptVersions } from '../kept/kept-versions.ts'
import type { KeptVersion } from '../kept/store.ts'
import type { FunctionsSettings } from '../settings.ts'
import { findFunctions, type ProjectFunction } from '../source/project-folder.ts'
import { isPinned } from './entries.ts'

/** A function of the project, with the version that answers. */
export interface ListedFunction extends ProjectFunction {
  /** Whether the project folder has it. */
  readonly isInFolder: boolean
  /** Null where none was made yet, or none is kept. */
  readonly version: KeptVersion | null
  /** Whether another version answers than what the folder holds, until the folder's next change. */
  readonly isPinned: boolean
}

export interface ListDeps {
  readonly project: string
  readonly settings: Pick<FunctionsSettings, 'each'>
  readonly kept: KeptVersions | null
}

/** The functions of the folder and the deployed ones, by name. */
export async function listFunctions({ project, settings, kept }: ListDeps): Promise<readonly ListedFunction[]> {
  const folder = await findFunctions(project, settings.each)
  const inFolder = folder.map((source): ListedFunction => {
    const active = kept?.active(source.name)
    const shown = active !== undefined && isPinned(active) ? active.version : source
    return {
      ...shown,
      isInFolder: true,
      version: active?.version ?? null,
      isPinned: active !== undefined && isPinned(active),
    }
  })
  const names = new Set(folder.map(({ name }) => name))
  const deployed = (kept?.names() ?? []).flatMap((name): ListedFunction[] => {
    const version = kept?.active(name)?.version
    const isServed = version !== undefined && version.madeBy !== null && settings.each[name]?.enabled !== false
    return isServed && !names.has(name) ? [{ ...version, isInFolder: false, version, isPinned: false }] : []
  })
  return [...inFolder, ...deployed].sort((a, b) => (a.name < b.name ? -1 : 1))
}
