import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ModuleOptions, Runtime } from '../worker/launch.ts'
import type { WorkerProgram } from '../worker/worker.ts'
import { cacheModules, type DenoTool, findMissingModules } from './deno.ts'
import { bootError, copyFiles, filesOf, hashFiles } from './files.ts'
import { withOwnModules } from './import-map.ts'
import { functionsFolder, isInside, type ProjectFunction, readMapFile } from './project-folder.ts'

/** A function's files as they were at one moment, with all that they import. */
export interface MadeVersion extends Omit<WorkerProgram, 'environment' | 'version'> {
  /** Names what the files say. */
  readonly hash: string
  /** The files, relative to the version's folder. */
  readonly paths: readonly string[]
  readonly sizeBytes: number
}

export interface VersionDeps {
  readonly project: string
  /** The folder that holds versions. */
  readonly folder: string
  readonly tool: DenoTool
  readonly maxBytes: number
}

const mapName = '.clew-import-map.json'
/** Rounds in which imported files lead to further ones. */
const maxRounds = 20

/**
 * Copies what a function is made of into a folder of its own, so that a worker never sees half of a change, and brings
 * its modules into the cache.
 *
 * @param known a version of this function, which is the answer where the files say what it says
 * @throws BOOT_ERROR with the compiler's words and the place in the source
 */
export async function makeVersion(
  source: ProjectFunction,
  deps: VersionDeps,
  known: MadeVersion | null = null,
): Promise<MadeVersion> {
  const { project, folder, tool, maxBytes } = deps
  const draft = join(folder, `.${source.name}-${randomUUID()}`)
  try {
    const files = [...(await filesOf(project, source))]
    let sizeBytes = await copyFiles(project, files, draft, maxBytes)
    if (known !== null && (await holds(known, files, draft, project))) return known
    const { usesPackages, ...options } = await writeImportMap(source, files, draft, tool.runtime)
    const entry = join(draft, source.entry)
    for (let round = 0; round < maxRounds; round += 1) {
      const missing = await findMissingModules(tool, entry, options)
      const paths = missing.map((url) => relative(draft, fileURLToPath(url)))
      const found = paths.filter((path) => !files.includes(path) && isInProject(project, path))
      if (found.length === 0) break
      sizeBytes += await copyFiles(project, found, draft, maxBytes - sizeBytes)
      files.push(...found)
    }
    const problem = await cacheModules(tool, entry, options)
    if (problem !== null) throw bootError(withoutPaths(problem, draft))
    return await settle(source, { paths: files, sizeBytes, usesPackages }, draft, folder)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

const isInProject = (project: string, path: string): boolean =>
  isInside(project, join(project, path)) && existsSync(join(project, path))

/** Whether files are those of a version, with what it imports from elsewhere in the project. */
async function holds(
  { paths, hash }: MadeVersion,
  files: readonly string[],
  draft: string,
  project: string,
): Promise<boolean> {
  const further = paths.filter((path) => !files.includes(path))
  if (!further.every((path) => isInProject(project, path))) return false
  await copyFiles(project, further, draft, Number.POSITIVE_INFINITY)
  return hash === (await hashFiles(draft, [...files, ...further]))
}

/** Gives the draft its name. */
async function settle(
  { name, entry, importMap, config }: ProjectFunction,
  { paths, ...made }: Pick<MadeVersion, 'paths' | 'sizeBytes' | 'usesPackages'>,
  draft: string,
  folder: string,
): Promise<MadeVersion> {
  const hash = await hashFiles(draft, paths)
  const target = join(folder, `${name}-${hash}`)
  await rename(draft, target).catch(async (error: NodeJS.ErrnoException) => {
    // The files are there from an earlier time that they were so.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
  return {
    name,
    hash,
    paths,
    ...made,
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

/** Writes the import map of a version: the project's, and what the server brings itself. */
async function writeImportMap(
  { importMap, config }: ProjectFunction,
  files: readonly string[],
  draft: string,
  runtime: Runtime,
): Promise<ModuleOptions & Pick<MadeVersion, 'usesPackages'>> {
  const map = importMap === null ? { imports: {}, scopes: {} } : await readMapFile(join(draft, importMap))
  const sources = await Promise.all(
    files.filter((file) => /\.([cm]?[jt]sx?|jsonc?)$/.test(file)).map((file) => readFile(join(draft, file), 'utf8')),
  )
  const path = join(draft, mapPlace(importMap))
  await mkdir(dirname(path), { recursive: true })
  const text = JSON.stringify(withOwnModules(map, sources, runtime))
  await writeFile(path, text)
  const usesPackages = [text, ...sources].some((source) => source.includes('npm:'))
  return { importMap: path, config: config === null ? null : join(draft, config), usesPackages }
}

/** Places in the source as the project names them. */
const withoutPaths = (text: string, folder: string): string =>
  text.replaceAll(`${pathToFileURL(folder).href}/`, '').replaceAll(`${folder}/`, '')
