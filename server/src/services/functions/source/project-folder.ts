import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { parse as parseJsonWithComments } from 'jsonc-parser'
import { isObject } from '../../../ground/json/object.ts'
import type { FunctionsSettings } from '../settings.ts'
import { type ImportMap, mapOfPackage, readImportMap } from './import-map.ts'
import { entryNames, isFunctionName } from './names.ts'

/** A function as the project folder has it; paths are relative to the project. */
export interface ProjectFunction {
  readonly name: string
  readonly entry: string
  readonly verifyJwt: boolean
  /** Patterns of further files, relative to the project. */
  readonly staticFiles: readonly string[]
  /** The file that maps its imports; null for none. */
  readonly importMap: string | null
  /** A `deno.json` with compiler options; null for none. */
  readonly config: string | null
}

/** The folder of functions in a project. */
export const functionsFolder = join('supabase', 'functions')

type Options = FunctionsSettings['each']

const isFile = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

async function firstFile(project: string, paths: readonly string[]): Promise<string | null> {
  for (const path of paths) if (await isFile(join(project, path))) return path
  return null
}

/** The functions of a project folder, by their names (functions §4). */
export async function findFunctions(project: string, options: Options): Promise<readonly ProjectFunction[]> {
  const found = await readdir(join(project, functionsFolder), { withFileTypes: true }).catch(() => [])
  const names = new Set([
    ...found.filter((each) => each.isDirectory()).map(({ name }) => name),
    ...Object.keys(options),
  ])
  const functions = await Promise.all(
    [...names]
      .filter(isFunctionName)
      .sort()
      .map((name) => findFunction(project, name, options)),
  )
  return functions.filter((each) => each !== null)
}

/** One function; null where there is none, or where its options turn it off. */
export async function findFunction(project: string, name: string, options: Options): Promise<ProjectFunction | null> {
  const own = Object.hasOwn(options, name) ? options[name] : undefined
  if (!isFunctionName(name) || own?.enabled === false) return null
  const folder = join(functionsFolder, name)
  const entries = own?.entrypoint === undefined ? entryNames.map((file) => join(folder, file)) : [below(own.entrypoint)]
  const entry = await firstFile(project, entries)
  if (entry === null) return null
  const configs = ['deno.json', 'deno.jsonc']
  const config = await firstFile(
    project,
    configs.map((file) => join(folder, file)),
  )
  const maps =
    own?.import_map !== undefined && own.import_map !== ''
      ? [below(own.import_map)]
      : [
          ...[...configs, 'import_map.json', 'package.json'].map((file) => join(folder, file)),
          ...[...configs, 'import_map.json'].map((file) => join(functionsFolder, file)),
          join('supabase', 'deno.json'),
        ]
  return {
    name,
    entry,
    verifyJwt: own?.verify_jwt ?? true,
    staticFiles: (own?.static_files ?? []).map(below),
    importMap: await firstFile(project, maps),
    config,
  }
}

/** A path of `config.toml` from the project, not from `supabase/`. */
const below = (path: string): string => join('supabase', path)

/** Whether a path stays in a folder. */
export const isInside = (folder: string, path: string): boolean =>
  `${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`)

/** The import map in a file of a project: an import map, a `deno.json`, or a `package.json`. */
export async function readMapFile(path: string): Promise<ImportMap> {
  const file = parseJsonWithComments(await readFile(path, 'utf8'))
  if (!isObject(file)) return { imports: {}, scopes: {} }
  return path.endsWith('package.json') ? mapOfPackage(file) : readImportMap(file)
}
