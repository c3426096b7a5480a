import { buffer } from 'node:stream/consumers'
import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { sql, typed } from '../../ground/sql/sql.ts'
import type { FileStore } from './files/file-store.ts'

interface ObjectRow {
  readonly bucket: string
  readonly name: string
  readonly version: string
  readonly sizeBytes: number
}

/** Objects that were looked at, and those of them whose file is missing or too short, as `bucket/name`. */
export interface CheckedFiles {
  readonly checked: number
  readonly missing: readonly string[]
}

/**
 * Whether objects have their files: as many as the limit says, in the order of their ids, which is none.
 *
 * @param query on tables of the administrator
 */
export async function checkFiles(
  query: (statement: Statement) => Promise<readonly object[]>,
  files: Pick<FileStore, 'get'>,
  limit: number,
): Promise<CheckedFiles> {
  // The statement names these columns.
  const objects = (await query(selectObjects(limit))) as readonly ObjectRow[]
  const missing: string[] = []
  for (const object of objects) if (!(await isWhole(object, files))) missing.push(`${object.bucket}/${object.name}`)
  return { checked: objects.length, missing }
}

/** Reads the last byte alone. */
async function isWhole({ version, sizeBytes }: ObjectRow, files: Pick<FileStore, 'get'>): Promise<boolean> {
  const last = sizeBytes - 1
  try {
    const stream = await (last < 0 ? files.get(version) : files.get(version, { start: last, end: last }))
    return (await buffer(stream)).length === Math.min(1, sizeBytes)
  } catch {
    return false
  }
}

const selectObjects = (limit: number): Statement =>
  compile(sql`
    select bucket_id as bucket, name, version, coalesce((metadata ->> 'size')::bigint, 0)::float8 as "sizeBytes"
    from storage.objects
    where version is not null
    order by id
    limit ${typed(limit, 'int')}`)
