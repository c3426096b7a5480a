import { changedMeanwhile } from '../../../ground/errors/changed-meanwhile.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import { environmentName } from '../../../ground/settings/names.ts'
import { fileValueOf, pinnedBy, type SettingsFile } from './editing.ts'
import { setupError } from './errors.ts'
import { findSetting, jsonOf } from './setting-list.ts'

/** What a setting is changed to. */
export interface SettingChange {
  /** As the environment would have it; null takes the line away, so that the default holds. */
  readonly text: string | null
  /** What the operator saw: the value of the next start as JSON where one waits, else that of now; null where there was none. */
  readonly replaces: string | null
}

export interface SettingChangesDeps {
  /** Of this instance, by their declared names. */
  readonly values: Readonly<Record<string, unknown>>
  /** Where they were said. */
  readonly places: Readonly<Record<string, string>>
  /** Null where the console writes no settings. */
  readonly file: SettingsFile | null
  readonly now: () => Date
}

/** What this process wrote last of a setting. */
interface LastChange {
  readonly by: string
  readonly at: Date
  /** What operators saw from then on. */
  readonly shown: string | null
}

/**
 * Writes settings into `clew.toml`, one after another: of two operators who saw the same value, the later is told of the other.
 *
 * @returns the function that does, which throws CLEW_AUTH_SETTING_NOT_FOUND, CLEW_AUTH_SETTING_PINNED,
 *   CLEW_AUTH_SETTING_VALUE, CLEW_AUTH_SETTING_FILE, CLEW_AUTH_SETTING_CHANGED
 */
export function createSettingChanges({ values, places, file, now }: SettingChangesDeps) {
  const last = new Map<string, LastChange>()
  let changing: Promise<unknown> = Promise.resolve()
  const shownNow = async (file: SettingsFile, key: string): Promise<string | null> => {
    const { value, waiting } = jsonOf(key, values, await file.changed())
    return waiting ?? value
  }

  return (name: string, { text, replaces }: SettingChange, operator: string): Promise<void> => {
    const change = changing.then(async () => {
      const found = findSetting(name)
      if (found === undefined) throw setupError('CLEW_AUTH_SETTING_NOT_FOUND')
      const { key, setting } = found
      const environment = environmentName('auth', key)
      const pinned = pinnedBy(file, { isSecret: setting.secret, environment, from: places[key] ?? null })
      if (file === null || pinned !== null) throw setupError('CLEW_AUTH_SETTING_PINNED', { details: pinned })
      const value = text === null ? undefined : fileValueOf(setting, text)
      const shown = await shownNow(file, key)
      if (shown !== replaces && shown !== JSON.stringify(value ?? null)) throw changedError(last.get(key), shown)
      await file.write(key, value).catch((cause: unknown) => {
        throw setupError('CLEW_AUTH_SETTING_FILE', { details: messageOf(cause), cause })
      })
      last.set(key, { by: operator, at: now(), shown: await shownNow(file, key) })
    })
    changing = change.catch(() => undefined)
    return change
  }
}

/** Who changed it is known where that was said here, and not in the file by hand since. */
const changedError = (last: LastChange | undefined, shown: string | null): Error =>
  setupError(
    'CLEW_AUTH_SETTING_CHANGED',
    last !== undefined && last.shown === shown ? changedMeanwhile('the setting', last) : undefined,
  )
