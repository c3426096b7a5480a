import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Sql } from '../../../engines/postgres/index.ts'
import { lockName } from '../source/files.ts'
import type { ProjectFunction } from '../source/project-folder.ts'
import type { MadeVersion } from '../source/version.ts'
import {
  type ActiveVersion,
  deleteFunction,
  deleteOldVersions,
  deleteVersion,
  findActiveVersions,
  findContent,
  findFiles,
  findVersions,
  insertFile,
  insertVersion,
  type KeptFile,
  type KeptVersion,
  lockFunction,
  setActive,
} from './store.ts'

export interface KeptVersionsDeps {
  readonly sql: Sql
  /** Versions kept of each function. */
  readonly kept: number
  readonly now: () => Date
  readonly newId: () => string
  /** Told the name of a function of which another version answers, or none any more. */
  readonly changed: (name: string) => void
}

/** The versions of functions in the database, and which of them answer calls. */
export interface KeptVersions {
  /** The version of a function that answers; undefined where none is kept. */
  active(name: string): ActiveVersion | undefined
  /** Reads again which versions answer, as another process may have changed that. */
  refresh(): Promise<void>
  /** Names of the functions of which a version answers. */
  names(): readonly string[]
  /** Newest first. */
  list(name: string): Promise<readonly KeptVersion[]>
  /** Stores a version with its files; it does not answer yet. @param by null for the project folder */
  keep(source: ProjectFunction, made: MadeVersion, by: string | null): Promise<KeptVersion>
  /** Has a version answer. @param folderHash for one of the project folder: what it holds */
  activate(version: KeptVersion, folderHash: string | null): Promise<void>
  /** Forgets a version that did not start. */
  discard(version: KeptVersion): Promise<void>
  /** Forgets a function with its versions; false where none is kept. */
  remove(name: string): Promise<boolean>
  files(version: KeptVersion): Promise<readonly KeptFile[]>
  /** A file's content; undefined where the version has no such file. */
  content(version: KeptVersion, path: string): Promise<Buffer | undefined>
  /** Writes the files of a version below a folder. */
  restore(version: KeptVersion, folder: string): Promise<void>
}

/** Names what a version does: its files and its options. */
export const fingerprintOf = (
  hash: string,
  { entry, importMap, config, staticFiles, verifyJwt }: Omit<ProjectFunction, 'name'>,
): string =>
  createHash('sha256')
    .update(JSON.stringify([hash, entry, importMap, config, staticFiles, verifyJwt]))
    .digest('hex')
    .slice(0, 16)

/** Opens the kept versions. Which of them answer is held in memory: calls of unknown names ask no database. */
export async function openKeptVersions({ sql, kept, now, newId, changed }: KeptVersionsDeps): Promise<KeptVersions> {
  const read = async () => new Map((await findActiveVersions(sql)).map((active) => [active.version.name, active]))
  let actives = await read()
  return {
    async refresh() {
      actives = await read()
    },
    active: (name) => actives.get(name),
    names: () => [...actives.keys()],
    list: (name) => findVersions(sql, name),
    keep: (
      { name, entry, importMap, config, staticFiles, verifyJwt },
      { hash, sizeBytes, paths, lockPath, files },
      by,
    ) =>
      sql.transaction(async (transaction) => {
        await lockFunction(transaction, name)
        const options = { name, entry, importMap, config, staticFiles, verifyJwt }
        const made = { id: newId(), madeAt: now(), madeBy: by, hash, sizeBytes }
        const version = await insertVersion(transaction, { ...options, ...made })
        const all = lockPath === null ? paths : [...paths, lockPath]
        for (const path of all) await insertFile(transaction, version.id, path, await readFile(join(files, path)))
        return version
      }),
    async activate(version, folderHash) {
      const { name } = version
      await setActive(sql, version, folderHash)
      actives.set(name, { version, folderHash: folderHash ?? actives.get(name)?.folderHash ?? null })
      changed(name)
      await deleteOldVersions(sql, name, kept)
    },
    discard: async ({ id }) => void (await deleteVersion(sql, id)),
    async remove(name) {
      actives.delete(name)
      const isRemoved = await deleteFunction(sql, name)
      changed(name)
      return isRemoved
    },
    files: async ({ id }) => (await findFiles(sql, id)).filter(({ path }) => basename(path) !== lockName),
    content: ({ id }, path) => findContent(sql, id, path),
    async restore({ id }, folder) {
      for (const { path } of await findFiles(sql, id)) {
        await mkdir(dirname(join(folder, path)), { recursive: true })
        await writeFile(join(folder, path), (await findContent(sql, id, path)) ?? '')
      }
    },
  }
}
