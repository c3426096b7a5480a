import { readFileSync } from 'node:fs'
import { messageOf } from '../ground/errors/message.ts'
import { environmentName } from '../ground/settings/names.ts'
import type { SettingProblem, SettingSource } from '../ground/settings/read.ts'
import type { Declared } from '../ground/settings/setting.ts'
import type { Section } from './declared.ts'

/** Variables of the environment as a source of settings, and what is wrong with the files that they name. */
export interface EnvironmentSource extends SettingSource {
  readonly problems: readonly SettingProblem[]
  /** The files that secrets were read from. */
  readonly files: readonly string[]
}

/**
 * The `CLEW_*` variables of a section, or of the process where the section is null. A secret may stand in a file instead, as
 * containers and systemd hand them over: `CLEW_DATABASE_URL_FILE` names it. A line break at its end is not part of it.
 */
export function environmentSource(
  section: Section | null,
  declared: Declared,
  environment: Readonly<Record<string, string | undefined>>,
): EnvironmentSource {
  const problems: SettingProblem[] = []
  const files: string[] = []
  const isFile = (setting: string): boolean => environment[fileName(setting)] !== undefined
  const nameOf = (setting: string): string => environmentName(section, setting)
  const fileName = (setting: string): string => `${nameOf(setting)}_FILE`
  const refuse = (setting: string, seen: string, allowed: string): undefined => {
    const name = fileName(setting)
    problems.push({ name, seen, source: name, allowed })
    return undefined
  }
  const readValue = (setting: string): string | undefined => {
    const value = environment[nameOf(setting)]
    const path = declared[setting]?.secret === true ? environment[fileName(setting)] : undefined
    if (path === undefined) return value
    if (value !== undefined)
      return refuse(setting, path, `nothing where ${nameOf(setting)} is set: a secret is in one place`)
    files.push(path)
    try {
      return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    } catch (error) {
      return refuse(setting, messageOf(error), 'a file that can be read')
    }
  }
  const values = Object.fromEntries(Object.keys(declared).map((setting) => [setting, readValue(setting)]))
  const name = (setting: string): string =>
    declared[setting]?.secret === true && isFile(setting) ? fileName(setting) : nameOf(setting)
  return { name, values, problems, files }
}
