import type { Postgres, Sql } from '../../../engines/postgres/index.ts'
import { changedMeanwhile } from '../../../ground/errors/changed-meanwhile.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import type { Log } from '../../../ground/model/log.ts'
import { formOf, type SettingForm } from '../../../ground/settings/form.ts'
import { environmentName, tomlName } from '../../../ground/settings/names.ts'
import type { Declared } from '../../../ground/settings/setting.ts'
import { unitOf } from '../../../ground/settings/unit.ts'
import { describeAllowed, parseValue } from '../../../ground/settings/value.ts'
import { analyticsError } from '../errors.ts'
import { partOf, type SettingGroup, type SettingPart, shownSettings } from './groups.ts'
import { type CaptureSettings, captureSettings } from './settings.ts'
import {
  deleteSettingStatement,
  insertSettingStatement,
  type StoredSetting,
  selectSettingsStatement,
  updateSettingStatement,
} from './store.ts'

export interface CaptureRulesDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly listen: Postgres['listen']
  /** What the environment, the files and the defaults say. */
  readonly settings: CaptureSettings
  /** Where they were said, by their declared names; defaults are not among them. */
  readonly places: Readonly<Record<string, string>>
  readonly log: Log
}

/** A setting of what browsers send, as the console shows it. */
export interface ListedCaptureSetting {
  /** As `clew.toml` spells it, in `[analytics]`. */
  readonly name: string
  readonly environment: string
  readonly part: SettingPart
  readonly group: SettingGroup
  readonly title: string
  readonly description: string
  /** What it costs a page and the store; null where that is next to nothing. */
  readonly costs: string | null
  /** What holds now, as JSON. */
  readonly value: string
  /** As JSON. */
  readonly default: string
  readonly unit: string | null
  /** Where the environment or a file says it: there alone it is changed. Null where neither does. */
  readonly pinned: string | null
  /** Who said it in the console; null where it is not from there. */
  readonly changed: { readonly at: Date; readonly by: string } | null
  readonly form: SettingForm
}

/** What a setting is changed to. */
export interface SettingChange {
  /** As the environment would have it; null for the default. */
  readonly text: string | null
  /** When what it replaces was said in the console, to the millisecond; null where it was not. */
  readonly replaces: Date | null
}

/**
 * What browsers send. What the environment or a file says holds; then what an owner said in the console; then the
 * default.
 */
export interface CaptureRules {
  /** What holds now. No process has earlier ones for longer than NOTIFY takes. */
  current(): Promise<CaptureSettings>
  list(): Promise<readonly ListedCaptureSetting[]>
  /**
   * The next browser that asks is told of it.
   *
   * @throws CLEW_CAPTURE_SETTING_NOT_FOUND, CLEW_CAPTURE_SETTING_PINNED, CLEW_CAPTURE_SETTING_VALUE,
   *   CLEW_CAPTURE_SETTING_CHANGED
   */
  change(name: string, change: SettingChange, operator: string): Promise<void>
  close(): Promise<void>
}

const declared: Declared = captureSettings

const known = Object.entries(shownSettings).flatMap(([key, shown]) => {
  const setting = declared[key]
  return setting === undefined ? [] : [{ ...shown, part: partOf(shown.group), key, name: tomlName(key), setting }]
})

/** Opens the rules; their table must have been migrated. */
export async function createCaptureRules(deps: CaptureRulesDeps): Promise<CaptureRules> {
  const { sql, places } = deps
  const stored = await keepStored(deps)
  return {
    current: async () => (await stored.current()).settings,
    async list() {
      const { settings, rows } = await stored.current()
      const values: Readonly<Record<string, unknown>> = settings
      return known.map(({ key, name, setting, part, group, title, costs }) => {
        const row = rows.get(key)
        return {
          ...{
            name,
            part,
            group,
            title,
            description: setting.description,
            costs: costs ?? null,
            form: formOf(setting),
          },
          environment: environmentName('analytics', key),
          value: JSON.stringify(values[key]),
          default: JSON.stringify(setting.default),
          unit: unitOf(key, setting),
          pinned: places[key] ?? null,
          changed: row === undefined ? null : { at: row.changedAt, by: row.changedBy },
        }
      })
    },
    async change(name, { text, replaces }, operator) {
      const found = known.find((each) => each.name === name)
      if (found === undefined) throw analyticsError('CLEW_CAPTURE_SETTING_NOT_FOUND')
      const { key, setting } = found
      const place = places[key]
      if (place !== undefined) throw analyticsError('CLEW_CAPTURE_SETTING_PINNED', { details: place })
      const value = text === null ? undefined : parseValue(setting, text)
      if (text !== null && value === undefined)
        throw analyticsError('CLEW_CAPTURE_SETTING_VALUE', { details: describeAllowed(setting.schema) })
      const { rowCount } = await sql.query(
        value === undefined
          ? deleteSettingStatement(name, replaces)
          : replaces === null
            ? insertSettingStatement(name, value, operator)
            : updateSettingStatement(name, value, operator, replaces),
      )
      stored.changed()
      if (rowCount !== 0) return
      const last = (await stored.current()).rows.get(key)
      if (last !== undefined) {
        const { changedBy: by, changedAt: at } = last
        throw analyticsError('CLEW_CAPTURE_SETTING_CHANGED', changedMeanwhile('the setting', { by, at }))
      }
      // Back at the default, which may be what was wished.
      if (value !== undefined) throw analyticsError('CLEW_CAPTURE_SETTING_CHANGED')
    },
    close: stored.close,
  }
}

/** What holds, and what of it is said in the console, by its declared name. */
interface Stored {
  readonly settings: CaptureSettings
  readonly rows: ReadonlyMap<string, StoredSetting>
}

/** What is stored, in the memory of this process until NOTIFY says that it has changed. */
async function keepStored({ sql, listen, settings, places, log }: CaptureRulesDeps) {
  /** Changes that were heard of. */
  let heard = 0
  let last: (Stored & { readonly asOf: number }) | null = null
  let reading: { readonly asOf: number; readonly result: Promise<Stored> } | null = null

  const read = async (asOf: number): Promise<Stored> => {
    try {
      const { rows } = await sql.query<StoredSetting>(selectSettingsStatement())
      const next = { ...applied(rows, settings, places), asOf }
      if (last === null || last.asOf < asOf) last = next
      return next
    } catch (error) {
      if (last === null) throw error
      log.warn(
        { reason: messageOf(error) },
        'analytics: what owners say of capture could not be read, the earlier settings stay',
      )
      return last
    } finally {
      if (reading?.asOf === asOf) reading = null
    }
  }
  const changed = (): void => {
    heard += 1
  }
  const close = await listen('clew_capture_settings', changed, changed)
  return {
    changed,
    close,
    async current(): Promise<Stored> {
      if (last?.asOf === heard) return last
      // Who asks after a change is not answered by a reading that began before it.
      if (reading?.asOf !== heard) reading = { asOf: heard, result: read(heard) }
      return reading.result
    },
  }
}

/** A value that a later version does not allow any more gives way to the default. */
function applied(
  stored: readonly StoredSetting[],
  settings: CaptureSettings,
  places: CaptureRulesDeps['places'],
): Stored {
  const rows = new Map<string, StoredSetting>()
  const values: Record<string, unknown> = {}
  for (const { key, name, setting } of known) {
    const row = stored.find((each) => each.name === name)
    if (row === undefined || places[key] !== undefined) continue
    rows.set(key, row)
    const value = parseValue(setting, row.value)
    if (value !== undefined) values[key] = value
  }
  return { rows, settings: { ...settings, ...values } }
}
