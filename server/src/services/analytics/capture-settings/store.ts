import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** What an owner said in the console. */
export interface StoredSetting {
  /** As `clew.toml` spells it. */
  readonly name: string
  readonly value: unknown
  readonly changedAt: Date
  /** E-mail address of the operator. */
  readonly changedBy: string
}

export const selectSettingsStatement = (): Statement =>
  compile(sql`
    select s.name, s.value, s.changed_at as "changedAt", s.changed_by as "changedBy"
    from clew_analytics.capture_settings s`)

const json = (value: unknown) => typed(JSON.stringify(value), 'json')

/** Stores a value where none is stored; one that is stays. */
export const insertSettingStatement = (name: string, value: unknown, by: string): Statement =>
  compile(sql`
    insert into clew_analytics.capture_settings (name, value, changed_by)
    values (${name}, ${json(value)}, ${by})
    on conflict (name) do nothing
    returning name`)

/** @param replaces when the value was said, to the millisecond, that this one is put in place of; nothing where it is gone */
export const updateSettingStatement = (name: string, value: unknown, by: string, replaces: Date): Statement =>
  compile(sql`
    update clew_analytics.capture_settings s
    set value = ${json(value)}, changed_by = ${by},
      -- Another millisecond for each change, since they are told apart by it.
      changed_at = greatest(now(), s.changed_at + interval '1 ms')
    where s.name = ${name} and date_trunc('milliseconds', s.changed_at) = ${typed(replaces, 'timestamptz')}
    returning s.name`)

/** @param replaces as of `updateSettingStatement`; null where nothing was said */
export const deleteSettingStatement = (name: string, replaces: Date | null): Statement =>
  compile(sql`
    delete from clew_analytics.capture_settings s
    where s.name = ${name} and date_trunc('milliseconds', s.changed_at) = ${typed(replaces, 'timestamptz')}
    returning s.name`)
