import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import { flagColumns, withChange } from './store.ts'

/** A flag that is off for all and has given its key away; its id stays its own. */
export interface ArchivedRow {
  readonly id: number
  readonly key: string
  readonly description: string
  readonly archivedAt: Date
  readonly archivedBy: string
}

/** Answers no row where no flag has the key. */
export const archiveFlagStatement = (key: string, operator: string): Statement =>
  compile(sql`
    with done as (
      update clew_flags.flags
      set deleted_at = now(), active = false, version = version + 1, updated_at = now(), updated_by = ${operator}
      where key = ${key} and deleted_at is null
      returning *
    ),
    ${withChange}
    select f.id
    from done f`)

/**
 * Brings a flag back as it was, but off. Answers no row where none is archived under the id.
 *
 * @throws a violation of `flags_key_idx` where another flag has the key by now
 */
export const restoreFlagStatement = (id: number, operator: string): Statement =>
  compile(sql`
    with done as (
      update clew_flags.flags
      set deleted_at = null, version = version + 1, updated_at = now(), updated_by = ${operator}
      where id = ${typed(id, 'bigint')} and deleted_at is not null
      returning *
    ),
    ${withChange}
    select ${flagColumns}
    from done f`)

/**
 * Archived flags, the latest first. While a flag is archived nothing changes it: its last change archived it.
 *
 * @param text a part of the key or the description, in any case; '' for all
 */
export const selectArchivedStatement = (text: string, limit: number): Statement =>
  compile(sql`
    select f.id::int as id, f.key, f.description, f.deleted_at as "archivedAt", f.updated_by as "archivedBy"
    from clew_flags.flags f
    where f.deleted_at is not null and strpos(lower(f.key || ' ' || f.description), lower(${text})) > 0
    order by f.deleted_at desc, f.id desc
    limit ${limit}`)
