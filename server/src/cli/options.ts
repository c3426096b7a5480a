import type { Command } from 'commander'
import { instanceError } from '../errors.ts'
import { flagName } from '../ground/settings/names.ts'
import { instanceSettings, type ReadSettings, readAllSettings, type Settings } from '../settings/index.ts'

/** The project folder and the data directory: options of every command. */
export interface DirectoryOptions {
  readonly project?: string
  readonly data?: string
}

/** Adds `--project` and `--data`. */
export const directoryOptions = (command: Command): Command =>
  command
    .option('--project <dir>', 'the project folder, with supabase/ and clew.toml')
    .option('--data <dir>', 'the data directory (.clew in the project folder)')

/** Adds an option for every setting of the process: `--db-port` is `dbPort`, `db_port` in `clew.toml`. */
export function startOptions(command: Command): Command {
  for (const [name, setting] of Object.entries(instanceSettings)) {
    if (name === 'project' || name === 'data') continue
    const value = typeof setting.default === 'boolean' ? '' : ' <value>'
    command.option(`${flagName(name)}${value}`, setting.description)
  }
  return command
}

/** The settings of a command line, with what is wrong with them and where they come from. */
export const readSettingsOf = (options: Readonly<Record<string, unknown>>): ReadSettings =>
  readAllSettings({ flags: options, environment: process.env, workingDirectory: process.cwd() })

/**
 * The settings of a command line.
 *
 * @throws CLEW_START_SETTING listing each wrong setting with its value and the allowed ones
 */
export const settingsOf = (options: Readonly<Record<string, unknown>>): Settings =>
  checkSettings(readSettingsOf(options))

/**
 * The settings, where nothing is wrong with them.
 *
 * @throws CLEW_START_SETTING
 */
export function checkSettings({ settings, problems }: ReadSettings): Settings {
  if (problems.length > 0) {
    const lines = problems.map(({ name, seen, allowed }) => `  ${name} is ${JSON.stringify(seen)}; allowed: ${allowed}`)
    throw instanceError('CLEW_START_SETTING', {
      message: `${problems.length === 1 ? 'A setting is' : 'Some settings are'} wrong:\n${lines.join('\n')}`,
      details: problems,
    })
  }
  return settings
}
