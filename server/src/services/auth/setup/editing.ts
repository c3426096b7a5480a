import type { Setting } from '../../../ground/settings/setting.ts'
import { describeAllowed, parseValue } from '../../../ground/settings/value.ts'
import { setupError } from './errors.ts'

/** The section of `clew.toml` that settings are written to. */
export interface SettingsFile {
  /**
   * The settings that the file says otherwise than when the instance started, by their declared names: with the value that it
   * has now, undefined where it no longer has one.
   */
  changed(): Promise<Readonly<Record<string, unknown>>>
  /**
   * Writes a value in the place of the one that the file has, and leaves the rest of the file as it is.
   *
   * @param value undefined: the file has none
   * @throws Error with the reason where the file cannot be written
   */
  write(setting: string, value: unknown): Promise<void>
}

/**
 * The value for the file of a text as the environment would have it.
 *
 * @throws CLEW_AUTH_SETTING_VALUE
 */
export function fileValueOf(setting: Pick<Setting<unknown>, 'schema'>, text: string): unknown {
  const value = parseValue(setting, text)
  if (value === undefined) throw setupError('CLEW_AUTH_SETTING_VALUE', { details: describeAllowed(setting.schema) })
  return value
}

/**
 * Why the console does not write a setting; null where it does.
 *
 * @param from where its value was said; null for the default
 */
export function pinnedBy(
  file: SettingsFile | null,
  { isSecret, environment, from }: { isSecret: boolean; environment: string; from: string | null },
): string | null {
  if (isSecret) return 'A secret stands in no file of the project: give it in the environment.'
  if (from === environment) return `The environment says it (${environment}), which is stronger than clew.toml.`
  return file === null
    ? 'In production, and without a project folder, settings are said on the machine: in clew.toml or in the environment.'
    : null
}
