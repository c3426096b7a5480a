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

export const putSettingStatement = (name: string, value: unknown, by: string): Statement =>
  compile(sql`
    insert into clew_analytics.capture_settings as s (name, value, changed_by)
    values (${name}, ${typed(JSON.stringify(value), 'json')}, ${by})
    on conflict (name) do update
    set value = excluded.value, changed_at = now(), changed_by = excluded.changed_by`)

export const deleteSettingStatement = (name: string): Statement =>
  compile(sql`delete from clew_analytics.capture_settings where name = ${name}`)
