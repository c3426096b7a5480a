import { existsSync } from 'node:fs'
import { chown, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ModuleOptions } from '../worker/launch.ts'
import { cacheModules, type DenoTool } from './deno.ts'
import { bootError, lockName } from './files.ts'
import { copyPackages, packagesIn } from './packages.ts'

/** A draft of a version whose modules are to be brought. */
export interface Draft {
  readonly folder: string
  /** The path of the entry file in it. */
  readonly entry: string
  readonly options: Pick<ModuleOptions, 'importMap' | 'config'>
  /** The import map and all source files. */
  readonly sources: readonly string[]
  /** The folder in which the project's packages may be installed. */
  readonly packagesOf: string
}

/** Where a version's modules are. */
export interface Modules extends Pick<ModuleOptions, 'packages'> {
  /** The lock file's path in the version; null where nothing is locked. */
  readonly lock: string | null
  /** Packages that were copied into the version, as `name@version`. */
  readonly copied: readonly string[]
}

const remoteForm = /npm:|jsr:|https?:\/\//

/**
 * Brings the modules that a draft imports into the cache, with a lock file by which they are found again as they were. Where
 * packages cannot be had from their registry, those that are installed in the project folder are copied into the draft.
 *
 * @throws BOOT_ERROR with the compiler's words and the place in the source
 */
export async function bringModules(tool: DenoTool, draft: Draft): Promise<Modules> {
  const isRemote = draft.sources.some((source) => remoteForm.test(source))
  const problem = isRemote
    ? await cacheWithLock(tool, draft)
    : await cacheModules(tool, join(draft.folder, draft.entry), { ...draft.options, packages: 'cache', lock: null })
  if (problem === null) {
    const lock = isRemote ? lockOf(draft) : null
    const isLocked = lock !== null && existsSync(join(draft.folder, lock))
    return { packages: 'cache', lock: isLocked ? lock : null, copied: [] }
  }
  const names = /\bnpm\b/.test(problem) ? packagesIn(draft.sources) : []
  const copied = await copyInstalled(draft, names)
  const options: ModuleOptions = { ...draft.options, packages: 'folder', lock: null }
  if (copied.length > 0 && (await cacheModules(tool, join(draft.folder, draft.entry), options)) === null)
    return { packages: 'folder', lock: null, copied }
  throw bootError(names.length === 0 ? problem : `${problem}\n${advice(names)}`)
}

const advice = (names: readonly string[]): string =>
  `Packages come from their registry, or from a node_modules of the project folder: npm install ${names.join(' ')}`

const lockOf = ({ entry }: Draft): string => join(dirname(entry), lockName)

/** Deno runs as another user, who writes the lock file into a folder of its own. */
async function cacheWithLock(tool: DenoTool, draft: Draft): Promise<string | null> {
  const { folder, entry, options } = draft
  const own = join(folder, '.clew-lock')
  const written = join(own, 'deno.lock')
  const kept = join(folder, lockOf(draft))
  await mkdir(own)
  if (existsSync(kept)) await copyFile(kept, written)
  if (tool.user !== null)
    for (const path of [own, written]) if (existsSync(path)) await chown(path, tool.user.uid, tool.user.gid)
  const problem = await cacheModules(tool, join(folder, entry), { ...options, packages: 'cache', lock: written })
  if (problem === null && existsSync(written)) await writeFile(kept, await readFile(written))
  await rm(own, { recursive: true })
  return problem
}

const copyInstalled = ({ folder, entry, packagesOf }: Draft, names: readonly string[]): Promise<readonly string[]> =>
  copyPackages(names, {
    project: packagesOf,
    from: join(packagesOf, dirname(entry)),
    target: join(folder, 'node_modules'),
  })
