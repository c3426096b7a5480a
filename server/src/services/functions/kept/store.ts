import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

/** A version of a function that is kept, without its files; paths are relative to the project. */
export interface KeptVersion {
  readonly id: string
  /** The function's name. */
  readonly name: string
  /** Counts the versions of a function from 1. */
  readonly number: number
  readonly madeAt: Date
  /** The operator's e-mail address; null for a version of the project folder. */
  readonly madeBy: string | null
  readonly entry: string
  readonly importMap: string | null
  readonly config: string | null
  readonly staticFiles: readonly string[]
  readonly verifyJwt: boolean
  /** Names what the files say. */
  readonly hash: string
  readonly sizeBytes: number
}

/** A version to be kept: its number is given to it. */
export type NewVersion = Omit<KeptVersion, 'number'>

/** The version of a function that answers calls. */
export interface ActiveVersion {
  readonly version: KeptVersion
  /** What the project folder held when a version was last made from it; null where none was. */
  readonly folderHash: string | null
}

/** A file of a version, without its content. */
export interface KeptFile {
  readonly path: string
  readonly sizeBytes: number
}

const versionColumns: SqlFragment = constant(`
  v.id, v.function as name, v.number, v.made_at as "madeAt", v.made_by as "madeBy", v.entry,
  v.import_map as "importMap", v.config, v.static_files as "staticFiles", v.verify_jwt as "verifyJwt", v.hash,
  v.size_bytes as "sizeBytes"`)

/** The versions that answer calls. */
export async function findActiveVersions(on: Sql): Promise<readonly ActiveVersion[]> {
  const { rows } = await on.query<KeptVersion & { folderHash: string | null }>(selectActiveStatement())
  return rows.map(({ folderHash, ...version }) => ({ version, folderHash }))
}

const selectActiveStatement = (): Statement =>
  compile(sql`
    select ${versionColumns}, f.folder_hash as "folderHash"
    from clew_functions.functions f
    join clew_functions.versions v on v.id = f.active`)

/** The kept versions of a function, newest first. */
export const findVersions = async (on: Sql, name: string): Promise<readonly KeptVersion[]> =>
  (await on.query<KeptVersion>(selectVersionsStatement(name))).rows

const selectVersionsStatement = (name: string): Statement =>
  compile(sql`
    select ${versionColumns}
    from clew_functions.versions v
    where v.function = ${name}
    order by v.number desc`)

/** Makes the function's row, and holds it until the transaction ends: numbers are given one by one. */
export const lockFunction = (on: Sql, name: string): Promise<unknown> => on.query(upsertFunctionStatement(name))

const upsertFunctionStatement = (name: string): Statement =>
  compile(sql`
    insert into clew_functions.functions (name) values (${name})
    on conflict (name) do update set name = excluded.name`)

/** Stores a version. @returns it with its number */
export async function insertVersion(on: Sql, version: NewVersion): Promise<KeptVersion> {
  const [row] = (await on.query<{ number: number }>(insertVersionStatement(version))).rows
  return { ...version, number: row?.number ?? 1 }
}

const insertVersionStatement = (version: NewVersion): Statement =>
  compile(sql`
    insert into clew_functions.versions (
      id, function, number, made_at, made_by, entry, import_map, config, static_files, verify_jwt, hash, size_bytes
    )
    select
      ${typed(version.id, 'uuid')}, ${typed(version.name, 'text')}, coalesce(max(v.number), 0) + 1,
      ${typed(version.madeAt, 'timestamptz')}, ${typed(version.madeBy, 'text')}, ${typed(version.entry, 'text')},
      ${typed(version.importMap, 'text')}, ${typed(version.config, 'text')}, ${typed(version.staticFiles, 'text[]')},
      ${typed(version.verifyJwt, 'boolean')}, ${typed(version.hash, 'text')}, ${typed(version.sizeBytes, 'integer')}
    from clew_functions.versions v
    where v.function = ${version.name}
    returning number`)

/** Stores a file of a version. */
export const insertFile = (on: Sql, id: string, path: string, content: Buffer): Promise<unknown> =>
  on.query(insertFileStatement(id, path, content))

const insertFileStatement = (id: string, path: string, content: Buffer): Statement =>
  compile(sql`
    insert into clew_functions.files (version_id, path, content) values (${typed(id, 'uuid')}, ${path}, ${content})`)

/** The files of a version by their paths. */
export const findFiles = async (on: Sql, id: string): Promise<readonly KeptFile[]> =>
  (await on.query<KeptFile>(selectFilesStatement(id))).rows

const selectFilesStatement = (id: string): Statement =>
  compile(sql`
    select path, octet_length(content) as "sizeBytes"
    from clew_functions.files
    where version_id = ${typed(id, 'uuid')}
    order by path`)

/** The content of a file; undefined where the version has no such file. */
export const findContent = async (on: Sql, id: string, path: string): Promise<Buffer | undefined> =>
  (await on.query<{ content: Buffer }>(selectContentStatement(id, path))).rows[0]?.content

const selectContentStatement = (id: string, path: string): Statement =>
  compile(sql`select content from clew_functions.files where version_id = ${typed(id, 'uuid')} and path = ${path}`)

/**
 * Has a version answer calls.
 *
 * @param folderHash what the project folder holds, for a version made from it; null leaves what is known
 */
export const setActive = (on: Sql, { id, name }: KeptVersion, folderHash: string | null): Promise<unknown> =>
  on.query(updateActiveStatement(id, name, folderHash))

const updateActiveStatement = (id: string, name: string, folderHash: string | null): Statement =>
  compile(sql`
    update clew_functions.functions
    set active = ${typed(id, 'uuid')}, folder_hash = coalesce(${typed(folderHash, 'text')}, folder_hash)
    where name = ${name}`)

/** Deletes a version that does not answer calls. */
export const deleteVersion = (on: Sql, id: string): Promise<unknown> => on.query(deleteVersionStatement(id))

const deleteVersionStatement = (id: string): Statement =>
  compile(sql`
    delete from clew_functions.versions v
    where v.id = ${typed(id, 'uuid')} and not exists (select from clew_functions.functions f where f.active = v.id)`)

/** Deletes the oldest versions of a function beyond those that are kept; never the one that answers. */
export const deleteOldVersions = (on: Sql, name: string, kept: number): Promise<unknown> =>
  on.query(deleteOldVersionsStatement(name, kept))

const deleteOldVersionsStatement = (name: string, kept: number): Statement =>
  compile(sql`
    delete from clew_functions.versions v
    where v.id in (
        select o.id from clew_functions.versions o where o.function = ${name} order by o.number desc offset ${kept}
      )
      and not exists (select from clew_functions.functions f where f.active = v.id)`)

/** Deletes a function with its versions; false where there is none. */
export const deleteFunction = async (on: Sql, name: string): Promise<boolean> =>
  (await on.query(deleteFunctionStatement(name))).rowCount === 1

const deleteFunctionStatement = (name: string): Statement =>
  compile(sql`delete from clew_functions.functions where name = ${name}`)
