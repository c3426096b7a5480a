import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** A built file, and the source map that explains it. */
export interface BuiltFile {
  /** Empty for a file of no release. */
  readonly release: string
  readonly path: string
  readonly chunkId: string | null
  /** Of the source map, SHA-256. */
  readonly hash: string
}

/** Keeps a source map; one of this content stays as it is. */
export const insertMapStatement = (hash: string, content: Buffer, sizeBytes: number, at: Date): Statement =>
  compile(sql`
    insert into clew_issues.source_maps (hash, content, size_bytes, uploaded_at)
    values (${hash}, ${typed(content, 'bytea')}, ${sizeBytes}, ${at})
    on conflict (hash) do update set uploaded_at = excluded.uploaded_at`)

export const upsertBuiltFileStatement = ({ release, path, chunkId, hash }: BuiltFile, at: Date): Statement =>
  compile(sql`
    insert into clew_issues.built_files (release, path, chunk_id, hash, uploaded_at)
    values (${release}, ${path}, ${typed(chunkId, 'text')}, ${hash}, ${at})
    on conflict (release, path) do update
    set chunk_id = excluded.chunk_id, hash = excluded.hash, uploaded_at = excluded.uploaded_at`)

/** The built files that have one of these chunk ids or names (the last part of a path), the latest upload first. */
export const selectBuiltFilesStatement = (chunkIds: readonly string[], names: readonly string[]): Statement =>
  compile(sql`
    select b.release, b.path, b.chunk_id as "chunkId", b.hash
    from clew_issues.built_files b
    where b.chunk_id = any (${typed(chunkIds, 'text[]')})
      or reverse(split_part(reverse(b.path), '/', 1)) = any (${typed(names, 'text[]')})
    order by b.uploaded_at desc, b.release, b.path
    limit 2000`)

export const selectMapStatement = (hash: string): Statement =>
  compile(sql`select content, size_bytes as "sizeBytes" from clew_issues.source_maps where hash = ${hash}`)

/** Deletes the maps that no file has any more, and the oldest ones beyond a size. */
export const deleteMapsStatement = (mostBytes: number): Statement =>
  compile(sql`
    delete from clew_issues.source_maps m
    where not exists (select from clew_issues.built_files b where b.hash = m.hash)
      or m.hash in (
        select k.hash
        from (
          select s.hash, sum(octet_length(s.content)) over (order by s.uploaded_at desc, s.hash) as bytes
          from clew_issues.source_maps s
        ) k
        where k.bytes > ${typed(mostBytes, 'bigint')}
      )`)

/** What was uploaded, by release, the latest first. */
export const selectReleasesOfMapsStatement = (): Statement =>
  compile(sql`
    select b.release, count(*)::int as files, sum(m.size_bytes)::float8 as "sizeBytes", max(b.uploaded_at) as "uploadedAt"
    from clew_issues.built_files b
    join clew_issues.source_maps m using (hash)
    group by b.release
    order by max(b.uploaded_at) desc
    limit 500`)

export const deleteReleaseStatement = (release: string): Statement =>
  compile(sql`delete from clew_issues.built_files where release = ${release}`)
