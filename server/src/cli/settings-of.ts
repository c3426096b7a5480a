import { instanceError } from '../errors.ts'
import type { ReadSettings, Settings } from '../settings/index.ts'

/** The settings of a command line, with what is wrong with them and where they come from. */
export async function readSettingsOf(options: Readonly<Record<string, unknown>>): Promise<ReadSettings> {
  // Their declarations take longer to load than a command's help takes to print.
  const { readAllSettings } = await import('../settings/index.ts')
  return readAllSettings({ flags: options, environment: process.env, workingDirectory: process.cwd() })
}

/**
 * The settings of a command line.
 *
 * @throws CLEW_START_SETTING listing each wrong setting with its value and the allowed ones
 */
export const settingsOf = async (options: Readonly<Record<string, unknown>>): Promise<Settings> =>
  checkSettings(await readSettingsOf(options))

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
