import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import type { Runtime } from '../worker/launch.ts'
import type { WorkerProgram } from '../worker/worker.ts'
import { type DenoTool, findMissingModules } from './deno.ts'
import { bootError, copyFiles, filesOf, hashFiles, lockName } from './files.ts'
import { withOwnModules } from './import-map.ts'
import { importsNothingNew } from './imports.ts'
import { bringModules, type Draft, type Modules } from './modules.ts'
import { functionsFolder, isInside, type ProjectFunction, readMapFile } from './project-folder.ts'

/** A function's files as they were at one moment, with all that they import. */
export interface MadeVersion extends Omit<WorkerProgram, 'environment' | 'version'> {
  /** Names what the files say. */
  readonly hash: string
  /** The files, relative to the version's folder. */
  readonly paths: readonly string[]
  /** The lock file's path, relative to the version's folder; null for none. */
  readonly lockPath: string | null
  readonly sizeBytes: number
}

export interface VersionDeps {
  readonly project: string
  /** The folder that holds versions. */
  readonly folder: string
  readonly tool: DenoTool
  readonly maxBytes: number
  /** The folder in which packages may be installed, where it is not \`project\`. */
  readonly packagesOf?: string
}

const mapName = '.clew-import-map.json'
const configName = '.clew-deno.json'
/** Rounds in which imported files lead to further ones. */
const maxRounds = 20

/**
 * Copies what a function is made of into a folder of its own, so that a worker never sees half of a change, and brings
 * its modules into the cache.
 *
 * @param known a version of this function, which is the answer where the files say what it says
 * @param starts whether the version is started next, which finds what is wrong with its code: then its modules are not looked
 *               for where its files name none that the known version's do not
 * @throws BOOT_ERROR with the compiler's words and the place in the source
 */
export async function makeVersion(
  source: ProjectFunction,
  deps: VersionDeps,
  known: MadeVersion | null = null,
  starts = false,
): Promise<MadeVersion> {
  const { project, folder, tool, maxBytes, packagesOf = project } = deps
  const draft = join(folder, `.${source.name}-${randomUUID()}`)
  try {
    const files = [...(await filesOf(project, source))]
    let sizeBytes = await copyFiles(project, files, draft, maxBytes)
    if (known !== null) {
      if (await holds(known, files, draft, project)) return known
      const further = known.paths.filter((path) => !files.includes(path) && isInProject(project, path))
      sizeBytes += await copyFiles(project, further, draft, maxBytes - sizeBytes)
      files.push(...further)
    }
    const config = await configOf(source, files, draft)
    const { sources, ...options } = await writeImportMap({ ...source, config }, files, draft, tool.runtime)
    await copyLock(source, project, draft)
    const completeFiles = async (): Promise<boolean> => {
      const missing = await findMissingModules(tool, join(draft, source.entry), options)
      const paths = missing.map((url) => relative(draft, fileURLToPath(url)))
      const found = paths.filter((path) => !files.includes(path) && isInProject(project, path))
      sizeBytes += await copyFiles(project, found, draft, maxBytes - sizeBytes)
      files.push(...found)
      return found.length === 0
    }
    const brought = { folder: draft, entry: source.entry, options, sources, packagesOf }
    const hasModules = starts && known !== null && (await importsAlike(known, files, draft))
    const modules = hasModules
      ? await keepModules(known, draft)
      : await bringAll(() => bringModules(tool, brought), completeFiles)
    const usesPackages = sources.some((text) => text.includes('npm:'))
    return await settle({ ...source, config }, { paths: files, sizeBytes, usesPackages, modules }, draft, folder)
  } catch (error) {
    throw withoutPaths(error, draft)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/**
 * Brings modules until no file of the project is missing. Most functions have all files at hand: both are done at a time.
 *
 * @param completeFiles copies what is missing; false where something was
 */
async function bringAll(bring: () => Promise<Modules>, completeFiles: () => Promise<boolean>): Promise<Modules> {
  for (let round = 0; ; round += 1) {
    const [brought, isComplete] = await Promise.allSettled([bring(), completeFiles()])
    if (isComplete.status === 'rejected') throw isComplete.reason
    if (!isComplete.value && round < maxRounds) continue
    if (brought.status === 'rejected') throw brought.reason
    return brought.value
  }
}

const isInProject = (project: string, path: string): boolean =>
  isInside(project, join(project, path)) && existsSync(join(project, path))

/** Whether files are those of a version, with what it imports from elsewhere in the project. */
async function holds(
  { paths, hash, packages }: MadeVersion,
  files: readonly string[],
  draft: string,
  project: string,
): Promise<boolean> {
  // Packages of the project folder may be others by now.
  if (packages === 'folder') return false
  const further = paths.filter((path) => !files.includes(path))
  if (!further.every((path) => isInProject(project, path))) return false
  await copyFiles(project, further, draft, Number.POSITIVE_INFINITY)
  return hash === (await hashFiles(draft, [...files, ...further]))
}

/** Whether a draft has a version's files, of which only source files differ, and names the modules that those do. */
async function importsAlike(
  { files: folder, paths, packages }: MadeVersion,
  files: readonly string[],
  draft: string,
): Promise<boolean> {
  if (packages === 'folder' || files.length !== paths.length || !files.every((path) => paths.includes(path)))
    return false
  const alike = await Promise.all(
    files.map(async (path) => {
      const [before, after] = await Promise.all([readFile(join(folder, path)), readFile(join(draft, path))])
      return before.equals(after) || (isSource(path) && importsNothingNew(before.toString(), after.toString()))
    }),
  )
  return alike.every(Boolean)
}

async function keepModules({ files, packages, lockPath }: MadeVersion, draft: string): Promise<Modules> {
  if (lockPath !== null) await copyFile(join(files, lockPath), join(draft, lockPath))
  return { packages, lock: lockPath, copied: [] }
}

const isSource = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path)

/** Gives the draft its name. */
async function settle(
  { name, entry, importMap, config }: ProjectFunction,
  { modules, ...made }: Pick<MadeVersion, 'paths' | 'sizeBytes' | 'usesPackages'> & { readonly modules: Modules },
  draft: string,
  folder: string,
): Promise<MadeVersion> {
  const hash = await hashFiles(draft, made.paths, modules.copied)
  const target = join(folder, `${name}-${hash}`)
  await rename(draft, target).catch(async (error: NodeJS.ErrnoException) => {
    // The files are there from an earlier time that they were so.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
  return {
    name,
    hash,
    ...made,
    packages: modules.packages,
    lockPath: modules.lock,
    lock: modules.lock === null ? null : join(target, modules.lock),
    files: target,
    startsIn: join(target, functionsFolder),
    entry: pathToFileURL(join(target, entry)).href,
    importMap: join(target, mapPlace(importMap)),
    config: config === null ? null : join(target, config),
  }
}

/** The import map stands where the project's own does, since its addresses are relative to that place. */
const mapPlace = (importMap: string | null): string =>
  join(importMap === null ? functionsFolder : dirname(importMap), mapName)

/**
 * The version's `deno.json`. Deno looks for the settings of registries, `.npmrc`, beside that file only: a function without
 * one gets an empty one, and one without settings of its own those of all functions.
 */
async function configOf(
  { name, config }: ProjectFunction,
  files: readonly string[],
  draft: string,
): Promise<string | null> {
  const [own, shared] = [join(functionsFolder, name, '.npmrc'), join(functionsFolder, '.npmrc')]
  if (!files.includes(own)) {
    if (!files.includes(shared)) return config
    await mkdir(join(draft, dirname(own)), { recursive: true })
    await copyFile(join(draft, shared), join(draft, own))
  }
  if (config !== null) return config
  const path = join(dirname(own), configName)
  await writeFile(join(draft, path), '{}')
  return path
}

/** Writes the import map of a version: the project's, and what the server brings itself. */
async function writeImportMap(
  { importMap, config }: ProjectFunction,
  files: readonly string[],
  draft: string,
  runtime: Runtime,
): Promise<Draft['options'] & Pick<Draft, 'sources'>> {
  const map = importMap === null ? { imports: {}, scopes: {} } : await readMapFile(join(draft, importMap))
  const sources = await Promise.all(
    files.filter((file) => /\.([cm]?[jt]sx?|jsonc?)$/.test(file)).map((file) => readFile(join(draft, file), 'utf8')),
  )
  const path = join(draft, mapPlace(importMap))
  await mkdir(dirname(path), { recursive: true })
  const text = JSON.stringify(withOwnModules(map, sources, runtime))
  await writeFile(path, text)
  return { importMap: path, config: config === null ? null : join(draft, config), sources: [text, ...sources] }
}

/** A kept version has the lock file that it was made with. */
async function copyLock({ entry }: ProjectFunction, project: string, draft: string): Promise<void> {
  const path = join(dirname(entry), lockName)
  if (existsSync(join(project, path))) await copyFile(join(project, path), join(draft, path))
}

/** An error with places in the source as the project names them. */
function withoutPaths(error: unknown, folder: string): unknown {
  if (!(error instanceof ServiceError) || typeof error.details !== 'string') return error
  return bootError(error.details.replaceAll(`${pathToFileURL(folder).href}/`, '').replaceAll(`${folder}/`, ''))
}
