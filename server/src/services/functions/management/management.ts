import { randomUUID } from 'node:crypto'
import { readFile, realpath, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import type { Limiter } from '../../../ground/limits/limiter.ts'
import { manageError } from '../errors.ts'
import type { KeptVersions } from '../kept/kept-versions.ts'
import type { KeptFile, KeptVersion } from '../kept/store.ts'
import type { Pool } from '../pool/pool.ts'
import type { ListedFunction } from '../registry/list.ts'
import type { Registry } from '../registry/registry.ts'
import { restoreVersion } from '../registry/restore.ts'
import type { FunctionSecrets } from '../secrets/secrets.ts'
import { filesOf } from '../source/files.ts'
import { isFunctionName } from '../source/names.ts'
import { functionsFolder, isInside, type ProjectFunction } from '../source/project-folder.ts'
import { type MadeVersion, makeVersion, type VersionDeps } from '../source/version.ts'
import type { WorkerUse } from '../worker/worker.ts'
import { readPath, type Upload } from './upload.ts'

/** What operators do with functions. */
export interface Management {
  list(): Promise<readonly ListedFunction[]>
  /** @throws CLEW_FUNCTIONS_NOT_FOUND */
  get(name: string): Promise<ListedFunction>
  /** The kept versions, newest first. @throws CLEW_FUNCTIONS_NOT_FOUND */
  versions(name: string): Promise<readonly KeptVersion[]>
  /**
   * The files of a version; of what answers where there is no number, of the folder where nothing has answered yet.
   *
   * @throws CLEW_FUNCTIONS_NOT_FOUND, CLEW_FUNCTIONS_NO_VERSION
   */
  files(name: string, number: number | null): Promise<readonly KeptFile[]>
  /** @throws as `files`, CLEW_FUNCTIONS_NO_FILE */
  content(name: string, number: number | null, path: string): Promise<Buffer>
  /**
   * Makes a version of received files and has it answer once it has started.
   *
   * @param receive writes the files into a folder
   * @throws CLEW_FUNCTIONS_UPLOAD, CLEW_FUNCTIONS_TOO_LARGE, CLEW_FUNCTIONS_BUSY, CLEW_FUNCTIONS_DISK_FULL; CLEW_FUNCTIONS_BROKEN with the place in
   *   the source, and the version before stays
   */
  deploy(name: string, receive: (folder: string) => Promise<Upload>, by: string): Promise<KeptVersion>
  /** Has an earlier version answer. @throws CLEW_FUNCTIONS_NO_VERSION, CLEW_FUNCTIONS_BUSY, CLEW_FUNCTIONS_BROKEN */
  rollBack(name: string, number: number): Promise<KeptVersion>
  /** @throws CLEW_FUNCTIONS_NOT_FOUND, CLEW_FUNCTIONS_IN_FOLDER */
  remove(name: string): Promise<void>
  /** The processes of a function in this instance, and the memory that each may take. */
  processes(name: string): { readonly processes: readonly WorkerUse[]; readonly memoryLimitBytes: number }
  readonly secrets: FunctionSecrets
}

export interface ManagementDeps {
  readonly registry: Registry
  readonly kept: KeptVersions
  readonly secrets: FunctionSecrets
  readonly version: VersionDeps
  /** Bounds the versions that are made at a time. */
  readonly limiter: Limiter
  /** Ends a function's process when its calls have ended; tells of its processes. */
  readonly pool: Pick<Pool, 'retire' | 'processesOf'>
  readonly memoryLimitBytes: number
}

export function createManagement(deps: ManagementDeps): Management {
  const { registry, kept, secrets, version: versionDeps, limiter, pool, memoryLimitBytes } = deps
  const { versionOf, ...reads } = createReads(deps)
  /** Has a version answer; one that does not start is forgotten by `failed`. */
  const start = async (version: KeptVersion, made: MadeVersion, failed: () => Promise<void>): Promise<KeptVersion> => {
    try {
      await registry.adopt(version, made)
      return version
    } catch (error) {
      await failed()
      throw error
    }
  }
  const inTurn = <T>(name: string, task: () => Promise<T>): Promise<T> =>
    limiter(() => registry.inTurn(name, task)).catch((error: unknown) => {
      throw toRefusal(error)
    })
  return {
    secrets,
    ...reads,
    processes: (name) => ({ processes: pool.processesOf(name), memoryLimitBytes }),
    async deploy(name, receive, by) {
      if (!isFunctionName(name))
        throw manageError('CLEW_FUNCTIONS_UPLOAD', {
          message: 'A function’s name begins with a letter, and has letters, digits, - and _, at most 64.',
        })
      const project = join(versionDeps.folder, `.deploy-${randomUUID()}`)
      try {
        const upload = await receive(project).catch((error: unknown) => {
          throw toRefusal(error)
        })
        const source = sourceOf(name, upload)
        return await inTurn(name, async () => {
          const made = await makeVersion(source, { ...versionDeps, project, packagesOf: versionDeps.project })
          const version = await kept.keep(source, made, by)
          return start(version, made, () => kept.discard(version))
        })
      } finally {
        await rm(project, { recursive: true, force: true })
      }
    },
    async rollBack(name, number) {
      await reads.get(name)
      return inTurn(name, async () => {
        const version = await versionOf(name, number)
        return start(version, await restoreVersion(version, kept, versionDeps), async () => undefined)
      })
    },
    async remove(name) {
      const { isInFolder } = await reads.get(name)
      if (isInFolder) throw manageError('CLEW_FUNCTIONS_IN_FOLDER')
      await registry.inTurn(name, async () => {
        await kept.remove(name)
        registry.forget(name)
        pool.retire(name)
      })
    },
  }
}

/** What is read of functions and of their versions. */
function createReads({ registry, kept, version: { project } }: ManagementDeps): Pick<
  Management,
  'list' | 'get' | 'versions' | 'files' | 'content'
> & {
  /** @throws CLEW_FUNCTIONS_NO_VERSION */
  versionOf(name: string, number: number): Promise<KeptVersion>
} {
  const get = async (name: string): Promise<ListedFunction> => {
    const found = (await registry.list()).find((each) => each.name === name)
    if (found === undefined) throw manageError('CLEW_FUNCTIONS_NOT_FOUND')
    return found
  }
  const versionOf = async (name: string, number: number): Promise<KeptVersion> => {
    const found = (await kept.list(name)).find((each) => each.number === number)
    if (found === undefined) throw manageError('CLEW_FUNCTIONS_NO_VERSION')
    return found
  }
  /** Null for the folder's own files. */
  const shown = async (name: string, number: number | null) => {
    if (number !== null) return versionOf(name, number)
    return (await get(name)).version
  }
  return {
    versionOf,
    list: registry.list,
    get,
    async versions(name) {
      await get(name)
      return kept.list(name)
    },
    async files(name, number) {
      const version = await shown(name, number)
      return version === null ? folderFiles(project, await get(name)) : kept.files(version)
    },
    async content(name, number, path) {
      const version = await shown(name, number)
      const content =
        version === null ? await folderContent(project, await get(name), path) : await kept.content(version, path)
      if (content === undefined) throw manageError('CLEW_FUNCTIONS_NO_FILE')
      return content
    },
  }
}

/** A function as a deployment describes it. @throws CLEW_FUNCTIONS_UPLOAD */
function sourceOf(name: string, { options, paths }: Upload): ProjectFunction {
  const pathOf = (member: 'entrypoint_path' | 'import_map_path', path: string): string => {
    const found = readPath(path)
    if (found === null || !paths.has(found))
      throw manageError('CLEW_FUNCTIONS_UPLOAD', { message: `${member} is ${path}, which is not among the files.` })
    return found
  }
  const configs = ['deno.json', 'deno.jsonc'].map((file) => join(functionsFolder, name, file))
  const { entrypoint_path, import_map_path, static_patterns = [], verify_jwt = true } = options
  if (static_patterns.some((pattern) => readPath(pattern) === null))
    throw manageError('CLEW_FUNCTIONS_UPLOAD', { message: 'static_patterns has a path that is not in the project.' })
  return {
    name,
    entry: pathOf('entrypoint_path', entrypoint_path),
    verifyJwt: verify_jwt,
    staticFiles: static_patterns,
    importMap: import_map_path ? pathOf('import_map_path', import_map_path) : null,
    config: configs.find((path) => paths.has(path)) ?? null,
  }
}

const folderFiles = async (project: string, source: ProjectFunction): Promise<readonly KeptFile[]> =>
  Promise.all(
    (await filesOf(project, source)).map(async (path) => ({ path, sizeBytes: (await stat(join(project, path))).size })),
  )

async function folderContent(project: string, source: ProjectFunction, path: string): Promise<Buffer | undefined> {
  if (!(await filesOf(project, source)).includes(path)) return undefined
  const real = await realpath(join(project, path))
  return isInside(await realpath(project), real) ? readFile(real) : undefined
}

/** What the compiler says, with its first place in the source; other errors as they are. */
/** Codes of the file system and of PostgreSQL. */
const diskFull: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', '53100'])

function toRefusal(error: unknown): unknown {
  if (error instanceof Error && 'code' in error && diskFull.has(error.code))
    return manageError('CLEW_FUNCTIONS_DISK_FULL', { cause: error })
  if (!(error instanceof ServiceError) || error.code !== 'BOOT_ERROR') return error
  const text = typeof error.details === 'string' ? error.details : error.message
  const [, file, line, column] = /(supabase\/[^\s:]+):(\d+):(\d+)/.exec(text) ?? []
  const place = file === undefined ? {} : { file, line: Number(line), column: Number(column) }
  return manageError('CLEW_FUNCTIONS_BROKEN', { details: { text, ...place }, cause: error })
}
