import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, empty, identifier, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { isoTime } from '../sql/timestamp.ts'
import type { ListCursor, ListOrder } from './list.ts'

/** The options of list v1. */
export interface SearchOptions {
  /** Ends with a slash, or is empty. */
  readonly prefix: string
  readonly limit: number
  readonly offset: number
  /** The beginning of names below the prefix. */
  readonly search: string
  readonly column: 'name' | 'updated_at' | 'created_at' | 'last_accessed_at'
  readonly order: 'asc' | 'desc'
}

/** JSON of one level below a prefix, names without it, in column `body`; the number of entries in `count`. */
export const searchStatement = (bucketId: string, options: SearchOptions): Statement =>
  compile(sql`
    select count(*)::text as count, coalesce(json_agg(json_build_object(
        'name', o.name, 'id', o.id, 'updated_at', ${isoTime(sql`o.updated_at`)},
        'created_at', ${isoTime(sql`o.created_at`)}, 'last_accessed_at', ${isoTime(sql`o.last_accessed_at`)},
        'metadata', o.metadata
      )), '[]')::text as body
    from storage.search(
      ${options.prefix}, ${bucketId}, ${typed(options.limit, 'int')}, 1, ${typed(options.offset, 'int')},
      ${options.search}, ${options.column}, ${options.order}
    ) as o`)

/** What is listed of a bucket by list v2. */
export interface ListOptions extends ListOrder {
  readonly prefix: string
  readonly limit: number
  /** Whether what lies in folders is listed as the folder. */
  readonly withDelimiter: boolean
  /** Null for the first page. */
  readonly after: ListCursor | null
}

/** JSON of the entries in column `body`, of full names, those of folders without a slash; their number in `count`. */
export function listStatement(bucketId: string, options: ListOptions): Statement {
  const { prefix, limit, column, order, withDelimiter, after } = options
  const name = after?.name ?? ''
  const rows: SqlFragment =
    column === 'name'
      ? sql`storage.list_objects_with_delimiter(
          ${bucketId}, ${prefix}, ${withDelimiter ? '/' : ''}, ${typed(limit, 'int')}, ${name}, '', ${order}
        )`
      : withDelimiter
        ? sql`storage.search_v2(
            ${prefix}, ${bucketId}, ${typed(limit, 'int')}, 1, ${name.replace(/\/$/, '')}, ${order}, ${column}, ${after?.time ?? ''}
          )`
        : sql`(${byTime(bucketId, { prefix, limit, column, order, after })})`
  return compile(sql`
    select count(*)::text as count, coalesce(json_agg(json_build_object(
        'id', o.id, 'name', o.name, 'key', o.name, 'updated_at', ${isoTime(sql`o.updated_at`)},
        'created_at', ${isoTime(sql`o.created_at`)}, 'last_accessed_at', ${isoTime(sql`o.last_accessed_at`)},
        'metadata', o.metadata
      )), '[]')::text as body
    from ${rows} as o`)
}

function byTime(
  bucketId: string,
  { prefix, limit, column, order, after }: Omit<ListOptions, 'withDelimiter'>,
): SqlFragment {
  const time = sql`date_trunc('milliseconds', ${identifier('e', column)})`
  const direction = order === 'desc' ? constant('desc') : constant('asc')
  const comparison = order === 'desc' ? constant('<') : constant('>')
  const behind =
    after === null
      ? empty
      : sql`and (${time}, e.name collate "C") ${comparison} (${typed(after.time, 'timestamptz')}, ${after.name})`
  return sql`
    select e.id, e.name, e.updated_at, e.created_at, e.last_accessed_at, e.metadata
    from storage.objects e
    where e.bucket_id = ${bucketId} and starts_with(e.name, ${prefix}) ${behind}
    order by ${time} ${direction}, e.name collate "C" ${direction}
    limit ${typed(limit, 'int')}`
}
